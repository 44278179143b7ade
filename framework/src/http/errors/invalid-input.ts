import type { SchemaIssue } from '../../base/schema/standard-schema.ts'
import { english } from '../../i18n/english.ts'
import type { Translate } from '../../i18n/languages.ts'
import type { MessageValues } from '../../i18n/message.ts'
import { Problem } from './problem.ts'

/** The part of a request that is invalid. */
export type InputPart = 'body' | 'query'

/** One error in the document: `pointer` into the body, or the `parameter` of the query. */
export type InputError =
  | { readonly pointer: string; readonly detail: string }
  | { readonly parameter: string; readonly detail: string }

/** What is wrong, with the path as texts. */
export interface InputIssue {
  readonly path: readonly string[]
  readonly message: string
}

/** A list of a million wrong items must not become a response of a million errors. */
const maxIssues = 100

/** Messages may quote the input, and names come from it; it may be as large as the body. */
const maxMessage = 500
const maxName = 200

const details = {
  body: 'Some values are missing or invalid.',
  query: 'The query of this address is invalid.',
} as const
const cutDetails = {
  body: 'Some values are missing or invalid: the first {max} of {count} errors.',
  query: 'The query of this address is invalid: the first {max} of {count} errors.',
} as const

/**
 * Input that a schema has refused: 422, with every message, or the way back to the form. Throw it for what
 * only the handler knows: `throw new InvalidInput([{ path: ['email'], message: 'Already taken.' }])`.
 */
export class InvalidInput extends Problem<{ errors: readonly InputError[] }> {
  static override readonly status: number = 422

  readonly part: InputPart
  readonly #issues: readonly InputIssue[]
  readonly #count: number

  constructor(issues: readonly SchemaIssue[], part: InputPart = 'body') {
    const known = inputIssues(issues)
    super(detailOf(issues.length, part, english()), {
      errors: known.map((issue) => inputError(issue, part)),
    })
    this.part = part
    this.#issues = known
    this.#count = issues.length
  }

  /** At most 100. Messages may quote input, so nothing of them is in what logs show of an error. */
  get issues(): readonly InputIssue[] {
    return this.#issues
  }

  /** For the page of the status: the first messages, each with its field. */
  summary(t: Translate): string {
    const texts = this.#issues.slice(0, 3).map(({ path, message }) => {
      return path.length === 0 ? t(message) : `${path.join('.')}: ${t(message)}`
    })
    return [detailOf(this.#count, this.part, t), ...texts].join(' ').slice(0, maxMessage)
  }
}

/** A query that a list by declaration has refused: 400, with every message. */
export class InvalidQuery extends InvalidInput {
  static override readonly status = 400
}

/** An issue whose message has values. `message` is English, for whoever knows no language. */
export class TranslatedIssue implements SchemaIssue {
  readonly path: readonly PropertyKey[]
  readonly message: string
  readonly #text: string
  readonly #values: MessageValues

  constructor(path: readonly PropertyKey[], text: string, values: MessageValues) {
    this.path = path
    this.message = english()(text, values)
    this.#text = text
    this.#values = values
  }

  /** The message in a language. */
  textIn(t: Translate): string {
    return t(this.#text, this.#values)
  }
}

/** The message of any issue in a language; that of a schema may be a key. */
export function issueText(issue: SchemaIssue, t: Translate): string {
  return issue instanceof TranslatedIssue ? issue.textIn(t) : t(issue.message)
}

/** The issues of a schema, at most 100, none longer than 500 characters. */
export function inputIssues(issues: readonly SchemaIssue[]): InputIssue[] {
  return issues.slice(0, maxIssues).map(inputIssue)
}

function detailOf(count: number, part: InputPart, t: Translate): string {
  return count > maxIssues ? t(cutDetails[part], { max: maxIssues, count }) : t(details[part])
}

function inputIssue({ path = [], message }: SchemaIssue): InputIssue {
  const keys = path.map((part) =>
    String(typeof part === 'object' ? part.key : part).slice(0, maxName),
  )
  const isLong = message.length > maxMessage
  return { path: keys, message: isLong ? `${message.slice(0, maxMessage - 1)}…` : message }
}

function inputError({ path, message: detail }: InputIssue, part: InputPart): InputError {
  return part === 'query'
    ? { parameter: path[0] ?? '', detail }
    : { pointer: pointerTo(path), detail }
}

// As in the example of RFC 9457: RFC 6901, section 6, a pointer as the fragment of a URI.
function pointerTo(path: readonly string[]): string {
  const tokens = path.map((key) => key.replaceAll('~', '~0').replaceAll('/', '~1').toWellFormed())
  return ['#', ...tokens.map(encodeURIComponent)].join('/')
}
