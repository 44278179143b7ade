import type { JsonSchema } from '../base/schema/json-schema.ts'
import { html } from '../errors/reports/page-text.ts'
import { isSchema } from './map-schema.ts'
import type { OpenApiDocument } from './open-api-document.ts'
import type { OperationParameter } from './operation-parameters.ts'
import type { Operation } from './operation.ts'

/** The form that sends a request, which the script of the page shows and handles. */
export function tryForm(
  method: string,
  path: string,
  operation: Operation,
  { components }: OpenApiDocument,
): string {
  const { parameters = [], requestBody } = operation
  const content = requestBody?.content ?? {}
  const schema = Object.values(content)[0]?.schema
  const sample =
    schema === undefined ? '' : JSON.stringify(sampleValue(schema, components.schemas), null, 2)
  const hasFiles = 'multipart/form-data' in content
  return (
    `<form class="try" hidden data-method="${html(method.toUpperCase())}" data-path="${html(path)}" ` +
    `aria-label="Try ${html(`${method.toUpperCase()} ${path}`)}"><h3>Try it</h3>` +
    `<div class="fields">${parameters.map(parameterField).join('')}</div>` +
    (schema === undefined
      ? ''
      : `<label>Body<textarea name="body" rows="${rowsOf(sample)}" spellcheck="false">${html(sample)}</textarea></label>`) +
    (hasFiles ? `<label>Files<input type="file" name="files" multiple></label>` : '') +
    `<p><button>Send ${html(method.toUpperCase())}</button></p>` +
    `<div class="response" role="status"></div></form>`
  )
}

function parameterField(parameter: OperationParameter): string {
  const { name, required, schema } = parameter
  const isNumber = schema['type'] === 'integer'
  const value = isNumber && required ? ' value="1"' : ''
  return (
    `<label>${html(name)}<input name="${parameter.in}:${html(name)}" autocomplete="off" spellcheck="false"` +
    `${isNumber ? ' inputmode="numeric"' : ''}${value}${required ? ' required' : ''}></label>`
  )
}

function rowsOf(text: string): number {
  return Math.min(Math.max(text.split('\n').length, 2), 16)
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
  if (!isSchema(schema) || depth > maxDepth) return null
  const { $ref, type, format, minimum, exclusiveMinimum } = schema
  if (typeof $ref === 'string') {
    return sampleValue(schemas[$ref.split('/').at(-1) ?? ''], schemas, depth + 1)
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
  const parts = Object.entries(isSchema(properties) ? properties : {})
  return Object.fromEntries(
    parts.map(([name, part]) => [name, sampleValue(part, schemas, depth + 1)]),
  )
}

function first(list: unknown): unknown {
  return Array.isArray(list) ? list[0] : undefined
}
