import type { JsonSchema } from '../../base/schema/json-schema.ts'
import type { AnyEntity, EntityColumn } from '../../orm/entity/entity.ts'
import type { Modes } from '../../orm/pagination/pagination.ts'
import type { ListLimits } from './list-query.ts'
import { valueParser } from './parse-value.ts'

/** The parameters of the place in a list as JSON Schema. */
export function placeSchemas({ cap, limit }: ListLimits, mode: Modes | null): JsonSchema {
  const byCursor = mode === 'cursor'
  const begin = ', or empty to begin by cursor. Takes precedence over `page`'
  return {
    limit: {
      type: 'integer',
      minimum: 1,
      maximum: cap,
      default: limit,
      description: 'Rows of a page.',
    },
    ...(!byCursor && {
      page: { type: 'integer', minimum: 1, description: 'The number of the page.' },
    }),
    cursor: {
      type: 'string',
      description: `The \`next\` of another page${byCursor ? '' : begin}.`,
    },
  }
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

function cellSchema(column: EntityColumn): JsonSchema {
  const schema = cells[column.kind] ?? valueParser(column)?.schema(column) ?? {}
  const { type } = schema
  return column.isNullable && typeof type === 'string'
    ? { ...schema, type: [type, 'null'] }
    : schema
}

/** What JSON has of the kinds that are written otherwise in an address. */
const cells: Readonly<Record<string, JsonSchema | undefined>> = {
  time: { type: 'string' },
  timestamp: { type: 'string', format: 'date-time' },
  'exact-timestamp': { type: 'string' },
}
