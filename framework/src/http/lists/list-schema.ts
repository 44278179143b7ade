import type { JsonSchema } from '../../base/schema/json-schema.ts'
import type { AnyEntity, EntityColumn } from '../../orm/entity/entity.ts'
import type { Modes } from '../../orm/pagination/pagination.ts'
import type { ListLimits } from './list-query.ts'

/** What the parameters of a list depend on. */
interface QuerySchemaParts {
  readonly filters: readonly Readonly<Record<string, JsonSchema>>[]
  readonly sort: {
    readonly parameter: string
    readonly names: readonly string[]
    readonly default: string | null
  }
  readonly limits: ListLimits
  readonly mode: Modes | null
  readonly remembers: boolean
}

/** The query of a list as JSON Schema: a property for each parameter. */
export function querySchema(parts: QuerySchemaParts): JsonSchema {
  const { filters, sort, limits, mode, remembers } = parts
  const properties: Record<string, JsonSchema> = Object.assign({}, ...filters)
  if (sort.names.length > 0) {
    properties[sort.parameter] = { type: 'string', enum: sort.names, default: sort.default }
  }
  properties['limit'] = {
    type: 'integer',
    minimum: 1,
    maximum: limits.cap,
    default: limits.limit,
    description: 'Rows of a page.',
  }
  if (mode !== 'cursor') {
    properties['page'] = { type: 'integer', minimum: 1, description: 'The number of the page.' }
  }
  properties['cursor'] = {
    type: 'string',
    description:
      mode === 'cursor'
        ? 'The `next` of another page.'
        : 'The `next` of another page, or empty to begin by cursor. Takes precedence over `page`.',
  }
  if (remembers) {
    properties['total'] = { type: 'string', description: 'The total, as the links have it.' }
  }
  return { type: 'object', properties, additionalProperties: false }
}

/** The JSON body of a page of a list. */
export function bodySchema(entity: AnyEntity, mode: Modes | null): JsonSchema {
  const items = { type: 'array', items: rowSchema(entity) }
  const limit = { type: 'integer' }
  const count = { type: ['integer', 'null'] }
  const byPage = {
    type: 'object',
    properties: { items, page: { type: 'integer' }, pages: count, limit, total: count },
    required: ['items', 'page', 'pages', 'limit', 'total'],
  }
  const byCursor = {
    type: 'object',
    properties: { items, limit, next: { type: ['string', 'null'] } },
    required: ['items', 'limit', 'next'],
  }
  if (mode === 'cursor') return byCursor
  return { anyOf: [byPage, byCursor] }
}

function rowSchema({ columns }: AnyEntity): JsonSchema {
  const properties = Object.fromEntries(
    columns.map((column) => [column.property, cellSchema(column)]),
  )
  return { type: 'object', properties, required: columns.map(({ property }) => property) }
}

function cellSchema({ kind, isNullable }: EntityColumn): JsonSchema {
  const schema = cells[kind] ?? {}
  const { type } = schema
  return isNullable && typeof type === 'string' ? { ...schema, type: [type, 'null'] } : schema
}

/** What JSON has of each kind of column; a kind without a schema can be anything. */
const cells: Readonly<Record<string, JsonSchema | undefined>> = {
  integer: { type: 'integer' },
  'safe-integer': { type: 'integer' },
  bigint: { type: 'string', pattern: '^-?[0-9]+$' },
  decimal: { type: 'string', pattern: '^-?[0-9]+(\\.[0-9]+)?$' },
  float: { type: 'number' },
  boolean: { type: 'boolean' },
  text: { type: 'string' },
  uuid: { type: 'string', format: 'uuid' },
  enumeration: { type: 'string' },
  date: { type: 'string', format: 'date' },
  time: { type: 'string' },
  timestamp: { type: 'string', format: 'date-time' },
  'exact-timestamp': { type: 'string' },
}
