import { isRecord } from '../is-record.ts'
import { loadOptional } from '../load-optional.ts'
import { messageOf, toError } from '../to-error.ts'
import type { StandardSchema } from './standard-schema.ts'

/** A schema as plain data (JSON Schema, draft 2020-12). An empty one fits any value. */
export type JsonSchema = Readonly<Record<string, unknown>>

/** What a schema takes, or the values that it returns. */
export type SchemaSide = 'input' | 'output'

const target = 'draft-2020-12'

/** Without them one date in a schema would be the end of the whole. */
const lenientOptions: Readonly<Record<string, object>> = { zod: { unrepresentable: 'any' } }

/**
 * Describes a schema of any library as JSON Schema. Parts that cannot be expressed, such as checks in code,
 * are left out; never throws.
 */
export async function jsonSchemaOf(
  schema: StandardSchema,
  side: SchemaSide,
): Promise<{ readonly schema: JsonSchema; readonly note: string | null }> {
  try {
    const converted = await convert(schema, side)
    if (converted === null) return { schema: {}, note: unknownVendor(schema) }
    // A copy, without anything that JSON does not have.
    const { $schema: _draft, ...rest }: JsonSchema = JSON.parse(JSON.stringify(converted))
    return { schema: rest, note: null }
  } catch (thrown) {
    return { schema: {}, note: messageOf(toError(thrown)) }
  }
}

async function convert(schema: StandardSchema, side: SchemaSide): Promise<unknown> {
  const { '~standard': standard } = schema
  // Standard JSON Schema, as zod and arktype implement it.
  const jsonSchema = memberOf(standard, 'jsonSchema')
  const converter = memberOf(jsonSchema, side)
  if (typeof converter === 'function') {
    const options = { target, libraryOptions: lenientOptions[standard.vendor] }
    return Reflect.apply(converter, jsonSchema, [options])
  }
  if (standard.vendor !== 'valibot') return null
  const { toJsonSchema } = await loadValibot()
  const overrides = side === 'output' ? { overrideAction: madeBy } : {}
  const options = { target, typeMode: side, errorMode: 'ignore', ...overrides }
  return Reflect.apply(toJsonSchema, undefined, [schema, options])
}

/** What actions of valibot that change the type of a value make of it; of some nobody can know. */
const madeTypes: Readonly<Record<string, JsonSchema>> = {
  find_item: {},
  parse_json: {},
  raw_transform: {},
  reduce_items: {},
  stringify_json: { type: 'string' },
  to_bigint: {},
  to_boolean: { type: 'boolean' },
  to_date: {},
  to_number: { type: 'number' },
  to_string: { type: 'string' },
  transform: {},
}

// Without it, the output would have the type of the input.
function madeBy(context: {
  readonly valibotAction: { readonly type: string }
}): JsonSchema | undefined {
  return madeTypes[context.valibotAction.type]
}

/** @throws ConfigurationError if the package is not installed. */
function loadValibot(): Promise<{ readonly toJsonSchema: (...given: never[]) => unknown }> {
  const message = 'install @valibot/to-json-schema to have schemas of valibot described'
  return loadOptional(
    { names: ['@valibot/to-json-schema'], code: 'E_SCHEMA', message },
    () => import('@valibot/to-json-schema'),
  )
}

function unknownVendor({ '~standard': { vendor } }: StandardSchema): string {
  return `schemas of ${vendor} do not implement Standard JSON Schema`
}

function memberOf(holder: unknown, name: string): unknown {
  return isRecord(holder) ? holder[name] : undefined
}
