import type { JsonSchema } from '../base/schema/json-schema.ts'

/** Keywords whose value is a schema, a list of schemas, or an object of schemas by name. */
const single: ReadonlySet<string> = new Set([
  'additionalProperties',
  'contains',
  'contentSchema',
  'else',
  'if',
  'items',
  'not',
  'propertyNames',
  'then',
  'unevaluatedItems',
  'unevaluatedProperties',
])
const listed: ReadonlySet<string> = new Set(['allOf', 'anyOf', 'oneOf', 'prefixItems'])
const named: ReadonlySet<string> = new Set([
  '$defs',
  'definitions',
  'dependentSchemas',
  'patternProperties',
  'properties',
])

/** A copy of a schema in which every schema, also those inside others, is what `change` makes of it. */
export function mapSchema(
  schema: JsonSchema,
  change: (part: JsonSchema) => JsonSchema,
): JsonSchema {
  const inner = (value: unknown): unknown => (isSchema(value) ? mapSchema(value, change) : value)
  const entries = Object.entries(schema).map(([keyword, value]): [string, unknown] => {
    if (single.has(keyword)) return [keyword, inner(value)]
    if (listed.has(keyword) && Array.isArray(value)) return [keyword, value.map(inner)]
    if (!named.has(keyword) || !isSchema(value)) return [keyword, value]
    const parts = Object.entries(value).map(([name, part]) => [name, inner(part)])
    return [keyword, Object.fromEntries(parts)]
  })
  return change(Object.fromEntries(entries))
}

/** Whether a value is an object, as schemas are except `true` and `false`. */
export function isSchema(value: unknown): value is JsonSchema {
  return typeof value === 'object' && value !== null && !Array.isArray(value)
}
