import type { Condition, Related } from '../plan/condition.ts'
import type { Draft } from './draft.ts'

/** Writes conditions joined by AND. */
type WriteConditions = (conditions: readonly Condition[], draft: Draft) => string

/**
 * Whether related rows exist. Only the columns that connect the tables are qualified: any other name
 * means the innermost table, also in custom SQL.
 */
export function writeRelated(related: Related, draft: Draft, write: WriteConditions): string {
  const { exists, from, bridge } = related
  const value = `${draft.scope}.${draft.name(from)}`
  const sql =
    bridge === null ? rows(related, value, draft, write) : pairs(related, value, draft, write)
  return exists ? sql : `NOT ${sql}`
}

function rows(
  { table, owner, conditions }: Related,
  value: string,
  draft: Draft,
  write: WriteConditions,
): string {
  return draft.within(table, (source) => {
    const rest = write(conditions, draft)
    const isOwned = `${draft.scope}.${draft.name(owner)} = ${value}`
    return `EXISTS (SELECT 1 FROM ${source} WHERE ${isOwned}${rest === '' ? '' : ` AND ${rest}`})`
  })
}

function pairs(related: Related, value: string, draft: Draft, write: WriteConditions): string {
  const { bridge } = related
  if (bridge === null) return ''
  const { quote } = draft.dialect
  return draft.within(bridge.through, (source) => {
    const target = rows(related, `${draft.scope}.${quote(bridge.target)}`, draft, write)
    const isOwned = `${draft.scope}.${quote(bridge.source)} = ${value}`
    return `EXISTS (SELECT 1 FROM ${source} WHERE ${isOwned} AND ${target})`
  })
}
