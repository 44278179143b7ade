import { join } from 'node:path'
import { isPlainRecord } from '../base/is-record.ts'
import type { JsonSchema } from '../base/schema/json-schema.ts'
import { Views } from '../base/templates/views.ts'
import type { ToolFrame } from '../devtools/tools.ts'
import { modulePath } from '../devtools/page-modules.ts'
import { htmlDocument, nonceAttribute } from '../errors/reports/html-document.ts'
import { html } from '../errors/reports/page-text.ts'
import type { DescribedApi, OpenApiDocument } from './open-api-document.ts'
import type { OperationResponse } from './operation-responses.ts'
import type { Operation } from './operation.ts'
import type { Content } from './request-body.ts'
import type { SecurityRequirement } from './route-access.ts'
import { limits, schemaText } from './schema-text.ts'

/** The folder of its modules, for `serveModules`. */
export const modulesFolder: string = join(import.meta.dirname, 'in-page')

const views = new Views(join(import.meta.dirname, 'views'), {
  escape: html,
  globals: { limits, nonceAttribute, responsesOf, schemaText, securityText, typesOf },
})

/** What the page needs besides the document. */
export interface DocumentPageOptions extends ToolFrame {
  /** The CSRF token of the visitor; empty without sessions. */
  readonly token: string
  /** Whether requests can be looked up at `/inspect`. */
  readonly hasInspector: boolean
}

/** The page to read and try an API. Without its script it can be read. */
export function documentPage(api: DescribedApi, options: DocumentPageOptions): string {
  const { document } = api
  const script = modulePath(modulesFolder, 'dom/try')
  const groups = Object.entries(grouped(document))
  const body = views.render('document', { ...api, ...options, groups, script })
  const title = `${document.info.title}: API`
  const { nonce, tools } = options
  return htmlDocument({ title, page: 'openapi', body, nonce, tools })
}

/** An operation with what its form begins with. */
interface ShownOperation {
  readonly method: string
  readonly path: string
  readonly operation: Operation
  /** Null for an operation without a body. */
  readonly sample: string | null
  /** The names of its fields for files. */
  readonly files: readonly string[]
}

/** The operations by their first tag. */
function grouped({
  paths,
  components,
}: OpenApiDocument): Partial<Record<string, ShownOperation[]>> {
  const shown = Object.entries(paths).flatMap(([path, methods]) =>
    Object.entries(methods).map(([method, operation]) => {
      const content = operation.requestBody?.content ?? {}
      const [body] = Object.values(content)
      const form = content['multipart/form-data']
      return {
        method,
        path,
        operation,
        sample:
          body === undefined
            ? null
            : JSON.stringify(sampleValue(body.schema, components.schemas), null, 2),
        files: form === undefined ? [] : fileFields(form.schema),
      }
    }),
  )
  return Object.groupBy(shown, ({ operation: { tags: [tag = 'Others'] = [] } }) => tag)
}

function securityText(security: readonly SecurityRequirement[]): string {
  if (security.length === 0) return 'For anybody.'
  const words: Readonly<Record<string, string>> = {
    session: 'a session',
    csrf: 'its CSRF token',
    bearer: 'an API token',
  }
  const alternatives = security.map((requirement) =>
    Object.entries(requirement)
      .map(([scheme, scopes]) => {
        const name = html(words[scheme] ?? scheme)
        return scopes.length === 0 ? name : `${name} with <code>${html(scopes.join(' '))}</code>`
      })
      .join(' and '),
  )
  return `Needs ${alternatives.join(', or ')}.`
}

/** The responses of an operation, those that it refers to as well. */
function responsesOf({ responses }: Operation, { components }: OpenApiDocument): readonly object[] {
  return Object.entries(responses).map(([status, given]) => {
    const found: OperationResponse | undefined =
      '$ref' in given ? components.responses[nameIn(given.$ref)] : given
    return Object.assign({ status, description: '', content: {} }, found)
  })
}

/** The media types of a body by their schema. */
function typesOf(content: Content): readonly (readonly [schema: string, types: string[]])[] {
  const types = Map.groupBy(Object.keys(content), (type) => schemaText(content[type]?.schema))
  return [...types]
}

// By name where the route declares them.
function fileFields({ properties }: JsonSchema): readonly string[] {
  const parts = Object.entries(isPlainRecord(properties) ? properties : {})
  const named = parts.filter(([, part]) => isFile(part)).map(([name]) => name)
  return named.length === 0 ? ['files'] : named
}

function isFile(part: unknown): boolean {
  return isPlainRecord(part) && (part['format'] === 'binary' || isFile(part['items']))
}

function nameIn(pointer: string): string {
  return pointer.split('/').at(-1) ?? ''
}

/** Recursive schemas have no end. */
const maxDepth = 5

const formats: Readonly<Record<string, string>> = {
  email: 'ada@example.org',
  date: '2026-01-31',
  'date-time': '2026-01-31T12:00:00Z',
  time: '12:00:00',
  uri: 'https://example.org/',
  uuid: '00000000-0000-4000-8000-000000000000',
}

/** A value to start with for a body: what the schema gives as default or example, otherwise something plain. */
function sampleValue(
  schema: unknown,
  schemas: Readonly<Record<string, JsonSchema>>,
  depth = 0,
): unknown {
  if (!isPlainRecord(schema) || depth > maxDepth) return null
  const { $ref, type, format, minimum, exclusiveMinimum } = schema
  if (typeof $ref === 'string') {
    return sampleValue(schemas[nameIn($ref)], schemas, depth + 1)
  }
  const given = [schema['default'], schema['const'], first(schema['examples'])]
  const example = given.find((value) => value !== undefined)
  if (example !== undefined) return example
  const inner = first(schema['anyOf'] ?? schema['oneOf'] ?? schema['allOf'])
  if (inner !== undefined) return sampleValue(inner, schemas, depth + 1)
  const choice = first(schema['enum'])
  if (choice !== undefined) return choice
  const kind: unknown = Array.isArray(type) ? type[0] : type
  if (kind === 'string') return formats[typeof format === 'string' ? format : ''] ?? 'text'
  if (kind === 'integer' || kind === 'number') {
    if (typeof exclusiveMinimum === 'number') return exclusiveMinimum + 1
    return typeof minimum === 'number' ? Math.max(minimum, 1) : 1
  }
  if (kind === 'boolean') return true
  if (kind === 'array') return [sampleValue(schema['items'], schemas, depth + 1)]
  if (kind !== 'object') return null
  const { properties } = schema
  const parts = Object.entries(isPlainRecord(properties) ? properties : {}).filter(
    ([, part]) => !isFile(part),
  )
  return Object.fromEntries(
    parts.map(([name, part]) => [name, sampleValue(part, schemas, depth + 1)]),
  )
}

function first(list: unknown): unknown {
  return Array.isArray(list) ? list[0] : undefined
}
