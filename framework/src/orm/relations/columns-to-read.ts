import type { Ordering } from '../../database/sql/plan/select-plan.ts'
import type { Reading } from '../reading.ts'
import { readColumns } from '../rows/row-batch.ts'
import type { ReadColumns } from '../rows/row-batch.ts'
import { relationLink } from './relation-link.ts'

/**
 * The columns to read: those that the rows show, then those that only their relations, or the
 * cursors of an order, need.
 */
export function columnsToRead(
  { entity, columns, relations }: Reading,
  orderings: readonly Ordering[] = [],
): ReadColumns {
  if (columns === entity.columns) return { shown: columns, read: columns }
  const ordered = new Set(orderings.map(({ column }) => column))
  return readColumns(columns, [
    ...relations.map(({ relation }) => relationLink(entity, relation).from),
    ...entity.columns.filter((column) => ordered.has(column)),
  ])
}
