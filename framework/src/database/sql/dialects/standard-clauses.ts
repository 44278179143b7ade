import { sql } from '../plan/statement.ts'
import type { Dialect, KeptRow } from './dialect.ts'

type Clauses =
  | 'insertDefaults'
  | 'namesConflict'
  | 'onConflict'
  | 'inserted'
  | 'keepOnConflict'
  | 'returnsUpdated'
  | 'deleteSome'
  | 'orderNulls'
  | 'plus'
  | 'orderedBy'
  | 'rankedBy'

/** Clauses shared by several databases. */
export const standardClauses: Pick<Dialect, Clauses> = {
  insertDefaults: ' DEFAULT VALUES',
  namesConflict: true,
  onConflict,
  inserted: (column) => `excluded.${column}`,
  keepOnConflict,
  returnsUpdated: true,
  // The condition is repeated: a row that no longer matches when it is deleted must stay.
  deleteSome: ({ table, key, condition, limit }) => {
    const rows = sql`FROM ${table} WHERE ${condition}`
    return sql`DELETE ${rows} AND ${key} IN (SELECT ${key} ${rows} LIMIT ${limit})`
  },
  orderNulls: (column, order, nulls) => `${column} ${order} NULLS ${nulls}`,
  plus: (name, place) => `${name} + ${place}`,
  orderedBy: (name) => name,
  rankedBy: (name) => name,
}

function onConflict(columns: string): string {
  return `ON CONFLICT (${columns}) DO UPDATE SET`
}

function keepOnConflict({ table, first, columns, isReturned }: KeptRow): string {
  if (!isReturned) return `ON CONFLICT (${columns}) DO NOTHING`
  // DO NOTHING returns no row; an assignment that changes nothing does.
  return `${onConflict(columns)} ${first} = ${table}.${first}`
}

/** Bound texts and whole numbers as a JSON list. */
export function jsonList(values: readonly unknown[]): string {
  const parts = values.map((value) =>
    typeof value === 'bigint' ? String(value) : JSON.stringify(value),
  )
  return `[${parts.join(',')}]`
}
