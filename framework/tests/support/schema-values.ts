import * as fc from 'fast-check'
import type { JsonSchema } from '../../src/base/schema/json-schema.ts'
import { isPlainRecord } from '../../src/base/is-record.ts'

/** The schemas that references lead to. */
export type Schemas = Readonly<Record<string, JsonSchema>>

const maxDepth = 4

/** Values that fit a JSON Schema, as far as it uses the keywords that libraries write. */
export function valuesOf(schema: unknown, schemas: Schemas, depth = 0): fc.Arbitrary<unknown> {
  if (!isPlainRecord(schema) || depth > maxDepth) return fc.jsonValue()
  const { $ref, type } = schema
  if (typeof $ref === 'string') {
    return valuesOf(schemas[$ref.split('/').at(-1) ?? ''], schemas, depth + 1)
  }
  if ('const' in schema) return fc.constant(schema['const'])
  if (Array.isArray(schema['enum'])) return fc.constantFrom<unknown>(...schema['enum'])
  const union = schema['anyOf'] ?? schema['oneOf']
  if (Array.isArray(union)) {
    return fc.oneof(...union.map((part) => valuesOf(part, schemas, depth + 1)))
  }
  if (type === 'string') return texts(schema)
  if (type === 'integer' || type === 'number') return numbers(schema)
  if (type === 'boolean') return fc.boolean()
  if (type === 'null') return fc.constant(null)
  if (type === 'array') {
    const size = { minLength: numberIn(schema, 'minItems') ?? 0, maxLength: 4 }
    return fc.array(valuesOf(schema['items'], schemas, depth + 1), size)
  }
  if (type !== 'object') return fc.jsonValue()
  const { properties, required } = schema
  const parts = Object.entries(isPlainRecord(properties) ? properties : {})
  const values: Record<string, fc.Arbitrary<unknown>> = Object.fromEntries(
    parts.map(([name, part]) => [name, valuesOf(part, schemas, depth + 1)]),
  )
  const requiredKeys: string[] = Array.isArray(required) ? required.map(String) : []
  return fc.record(values, { requiredKeys })
}

/** The same values, and others: of another kind, with members that are missing or of another kind. */
export function rightAndWrongValues(schema: unknown, schemas: Schemas): fc.Arbitrary<unknown> {
  const right = valuesOf(schema, schemas)
  const damaged = fc.tuple(right, fc.nat(20), fc.option(fc.jsonValue())).map(damage)
  return fc.oneof({ weight: 3, arbitrary: right }, damaged, fc.jsonValue())
}

function damage([value, at, other]: [unknown, number, unknown]): unknown {
  if (!isPlainRecord(value)) return other
  const names = Object.keys(value)
  const name = names[at % Math.max(names.length, 1)]
  if (name === undefined) return other
  const { [name]: _dropped, ...rest } = value
  return other === null ? rest : { ...rest, [name]: other }
}

function texts(schema: JsonSchema): fc.Arbitrary<string> {
  const { pattern, format } = schema
  if (typeof pattern === 'string') return fc.stringMatching(new RegExp(pattern, 'u'))
  if (format === 'uuid') return fc.uuid()
  return fc.string({
    minLength: numberIn(schema, 'minLength') ?? 0,
    maxLength: Math.min(numberIn(schema, 'maxLength') ?? 40, 200),
    unit: 'grapheme',
  })
}

function numbers(schema: JsonSchema): fc.Arbitrary<number> {
  const min = numberIn(schema, 'minimum') ?? numberIn(schema, 'exclusiveMinimum') ?? -1e6
  const max = numberIn(schema, 'maximum') ?? numberIn(schema, 'exclusiveMaximum') ?? 1e6
  return schema['type'] === 'integer'
    ? fc.integer({ min, max })
    : fc.double({ min, max, noNaN: true })
}

function numberIn(schema: JsonSchema, keyword: string): number | undefined {
  const value = schema[keyword]
  return typeof value === 'number' ? value : undefined
}
