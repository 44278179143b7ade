import { isDeepStrictEqual } from 'node:util'
import type { JsonSchema } from '../../src/base/schema/json-schema.ts'
import { isPlainRecord } from '../../src/base/is-record.ts'
import type { Schemas } from './schema-values.ts'

/**
 * Why a value does not fit a JSON Schema; null if it does. It knows the keywords that responses of the
 * document use, and nothing else.
 */
export function schemaMisfit(value: unknown, schema: unknown, schemas: Schemas): string | null {
  if (!isPlainRecord(schema)) return null
  const { $ref, anyOf, allOf, type } = schema
  if (typeof $ref === 'string') {
    const named = schemas[$ref.split('/').at(-1) ?? '']
    return named === undefined ? `no schema ${$ref}` : schemaMisfit(value, named, schemas)
  }
  if ('const' in schema && !isDeepStrictEqual(value, schema['const'])) {
    return `${shown(value)} is not ${shown(schema['const'])}`
  }
  if (Array.isArray(anyOf)) {
    const misfits = anyOf.map((part) => schemaMisfit(value, part, schemas))
    if (!misfits.includes(null)) return misfits.join('; ')
  }
  if (Array.isArray(allOf)) {
    const misfit = allOf.map((part) => schemaMisfit(value, part, schemas)).find(isMisfit)
    if (misfit !== undefined) return misfit
  }
  if (typeof type === 'string' && !isOfType(value, type)) return `${shown(value)} is no ${type}`
  return partMisfit(value, schema, schemas)
}

function partMisfit(value: unknown, schema: JsonSchema, schemas: Schemas): string | null {
  if (Array.isArray(value)) {
    return value.map((item) => schemaMisfit(item, schema['items'], schemas)).find(isMisfit) ?? null
  }
  if (!isPlainRecord(value)) return null
  const { properties, required } = schema
  const missing = (Array.isArray(required) ? required : []).find((name) => !(name in value))
  if (missing !== undefined) return `${missing} is missing in ${shown(value)}`
  const parts = Object.entries(isPlainRecord(properties) ? properties : {})
  const misfits = parts.map(([name, part]) =>
    name in value ? schemaMisfit(value[name], part, schemas) : null,
  )
  return misfits.find(isMisfit) ?? null
}

function isOfType(value: unknown, type: string): boolean {
  if (type === 'null') return value === null
  if (type === 'array') return Array.isArray(value)
  if (type === 'object') return isPlainRecord(value)
  if (type === 'integer') return Number.isInteger(value)
  return typeof value === type
}

function isMisfit(misfit: string | null): misfit is string {
  return misfit !== null
}

function shown(value: unknown): string {
  return (JSON.stringify(value) ?? 'undefined').slice(0, 200)
}
