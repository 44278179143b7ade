import type { JsonSchema } from '../../base/schema/json-schema.ts'
import { isSchema } from '../map-schema.ts'

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
export function sampleValue(
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
