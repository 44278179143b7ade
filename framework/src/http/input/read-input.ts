import type {
  StandardSchemaProps,
  SchemaResult,
  StandardSchema,
} from '../../base/schema/standard-schema.ts'
import type { Translate } from '../../i18n/languages.ts'
import type { ErrorFormats } from '../errors/error-format.ts'
import { HttpError } from '../errors/http-error.ts'
import { preferredType } from '../request/accept.ts'
import { isJsonType } from '../request/body.ts'
import { isForm } from '../request/form.ts'
import type { Form, UploadedFile } from '../request/form.ts'
import { queryPairs } from '../request/query.ts'
import { bareName, filesOf } from '../request/upload-options.ts'
import { InvalidInput, InvalidQuery, issueText } from '../errors/invalid-input.ts'
import type { InputPart } from '../errors/invalid-input.ts'

/** The parts of a request that input is read from. */
export interface InputSource {
  readonly type: string
  readonly hasBody: boolean
  readonly search: string
  readonly errorFormat: ErrorFormats | null
  /** Writes messages in the language of whoever sent it. */
  readonly t: Translate
  /** The time zone of whoever sent it. */
  readonly timeZone: string
  header(name: string): string | undefined
  json(): Promise<unknown>
  form(): Promise<Form>
}

/** The fields of a form or a query: a text, or a list for a name that ends in `[]`. */
export type InputFields = Readonly<Record<string, string | readonly string[]>>

/** Fields of the framework, which no schema should have to know. */
const ownFields: ReadonlySet<string> = new Set(['_token', '_method'])

/**
 * A part of a request as a schema parses it.
 * @throws InvalidInput if it does not fit; HttpError for a body that cannot be read.
 */
export async function validateInput<Output>(
  source: InputSource,
  schema: StandardSchema<unknown, Output>,
  part: InputPart = 'body',
): Promise<Output> {
  const standard = schema['~standard']
  const value =
    part === 'body' ? await readBodyInput(source, schema) : readQueryInput(source, standard)
  return parseInput(standard, value, source, part)
}

/**
 * The value that a schema makes of input, at once unless the schema is asynchronous. A message of the schema
 * that is a key is shown in the language of the request.
 * @throws InvalidInput if it does not fit.
 */
export function parseInput<Output>(
  standard: StandardSchemaProps<unknown, Output>,
  value: unknown,
  source: Pick<InputSource, 't' | 'timeZone'>,
  part: InputPart,
): Output | Promise<Output> {
  // A function, since an object with a getter gets a hidden class of its own each time, which costs as much as a
  // statement and keeps the request until the next full collection.
  const result = isListSchema(standard)
    ? standard.validate(value, { libraryOptions: { zoneOf: () => source.timeZone } })
    : standard.validate(value)
  const valueOf = (settled: SchemaResult<Output>): Output => {
    if (settled.issues === undefined) return settled.value
    const Refusal = isListSchema(standard) ? InvalidQuery : InvalidInput
    const { t } = source
    const issues = settled.issues.map((issue) => ({ ...issue, message: issueText(issue, t) }))
    throw new Refusal(issues, part)
  }
  return result instanceof Promise ? result.then(valueOf) : valueOf(result)
}

/**
 * The body for a schema: the value of JSON, the fields of a form, no fields without a body.
 * @throws HttpError 415 for a body of another type, 413 above the limits, 400 if malformed.
 */
export function readBodyInput(
  source: InputSource,
  schema: StandardSchema | null,
): Promise<unknown> {
  const { type } = source
  if (isJsonType(type)) return source.json()
  if (isForm(type)) {
    return source.form().then(({ pairs, files }) => {
      return filesOf(schema) === null
        ? inputFields(pairs)
        : inputFields<string | UploadedFile>([...pairs, ...listed(files)])
    })
  }
  if (!source.hasBody) return Promise.resolve(inputFields([]))
  const reason = `the body must be JSON or a form, got ${type || 'no Content-Type'}`
  return Promise.reject(new HttpError(415, reason))
}

// What is sent in a field of files is a list, however many there are.
function listed(files: readonly UploadedFile[]): [name: string, file: UploadedFile][] {
  return files.map((file) => [`${bareName(file.field)}[]`, file])
}

/**
 * The query for a schema. For a page of a list only the parameters that the list has: mails and other
 * sites add their own to links, and a reader who follows one made no mistake.
 */
export function readQueryInput(source: InputSource, schema: StandardSchemaProps): InputFields {
  const fields = inputFields(queryPairs(source.search.slice(1)))
  if (!isListSchema(schema)) return fields
  const { parameters } = schema
  if (Object.keys(fields).every((name) => parameters.has(name)) || !asksForPage(source))
    return fields
  return Object.fromEntries(Object.entries(fields).filter(([name]) => parameters.has(name)))
}

/** What is read here of a list as a schema; `ListSchemaProps` has more. */
interface ListSchema {
  readonly status: 400
  /** The parameters that its pages keep. */
  readonly parameters: ReadonlySet<string>
}

/** Whether these are the members of a list as a schema: its refusals are a 400. */
export function isListSchema(standard: object | null): standard is ListSchema {
  return standard !== null && 'status' in standard && standard.status === 400
}

// As `response.negotiation` decides.
function asksForPage(source: InputSource): boolean {
  const offers = ['application/json', 'text/html']
  return (
    source.errorFormat === null && preferredType(source.header('accept'), offers) === 'text/html'
  )
}

/**
 * Whether a field is a text or a list depends on its name alone, never on how often it was sent: `tag[]`
 * is the list `tag`; of any other name the last value counts. `__proto__` is left out, since schemas copy
 * fields into ordinary objects.
 */
export function inputFields<Value = string>(
  pairs: Iterable<readonly [string, Value]>,
): Readonly<Record<string, Value | readonly Value[]>> {
  const fields: Record<string, Value | readonly Value[]> = Object.create(null)
  let lists: Map<string, Value[]> | null = null
  for (const [name, value] of pairs) {
    if (ownFields.has(name)) continue
    if (!name.endsWith('[]')) {
      // As in `lastValues`.
      if (name !== '__proto__') Reflect.set(fields, name, value)
      continue
    }
    lists ??= new Map()
    const list = lists.get(name)
    if (list === undefined) lists.set(name, [value])
    else list.push(value)
  }
  for (const [name, list] of lists ?? []) {
    const bare = bareName(name)
    if (bare !== '__proto__') fields[bare] = list
  }
  return fields
}
