import { FrameworkError } from '../../base/errors.ts'
import type { Result } from '../../database/operation.ts'
import type { Dialect } from '../../database/sql/dialects/dialect.ts'
import { reader, rowMaker } from '../../database/sql/values/column-readers.ts'
import type { MakeRows } from '../../database/sql/values/column-readers.ts'
import type { Ordering } from '../../database/sql/plan/select-plan.ts'
import type { AnyEntity, EntityColumn } from '../entity/entity.ts'
import type { Reading } from '../reading.ts'
import { relationLink } from '../relations/relation-link.ts'

/** A row by property, in the order of the entity's columns. */
export type PlainRow = Record<string, unknown>

/** A row of raw database values, in the order of the selected columns. */
export type RawRow = readonly unknown[]

const hydrators = new WeakMap<readonly EntityColumn[], Map<Dialect, MakeRows>>()

/**
 * Turns raw rows into plain objects of one shape. The columns must be the selected ones in order;
 * extra raw values are ignored.
 */
export function hydrateRows(
  columns: readonly EntityColumn[],
  dialect: Dialect,
  raws: readonly RawRow[],
): PlainRow[] {
  let known = hydrators.get(columns)
  if (known === undefined) hydrators.set(columns, (known = new Map()))
  let hydrate = known.get(dialect)
  if (hydrate === undefined) {
    const names = columns.map(({ property }) => property)
    const readers = columns.map((column) => reader(column, dialect))
    known.set(dialect, (hydrate = rowMaker(names, readers)))
  }
  return hydrate(raws)
}

/** The rows of a result whose columns are those of the entity. */
export function entityRows({ columns }: AnyEntity, result: Result, dialect: Dialect): PlainRow[] {
  return hydrateRows(columns, dialect, rawRows(result))
}

/**
 * The rows of a query with `raw`, as lists.
 * @throws FrameworkError when the surface returned objects.
 */
export function rawRows({ rows }: Result): readonly RawRow[] {
  if (areLists(rows)) return rows
  throw new FrameworkError(
    'E_DATABASE',
    'a query with raw: true returned objects; its surface must return rows as lists of the selected values',
  )
}

// All rows of a result have the shape of the first.
function areLists(rows: readonly unknown[]): rows is readonly RawRow[] {
  return rows.length === 0 || Array.isArray(rows[0])
}

/** Rows that were read together. */
export interface RowBatch {
  readonly entity: AnyEntity
  readonly rows: readonly PlainRow[]
  /** The values of a column that was read, one for each row, also if the rows do not show it. */
  valuesOf(column: EntityColumn): readonly unknown[]
}

/** Columns that were read: those that the rows show first, then the others. */
export interface ReadColumns {
  readonly shown: readonly EntityColumn[]
  readonly read: readonly EntityColumn[]
}

/** The rows of raw values. */
export function rowBatch(
  entity: AnyEntity,
  { shown, read }: ReadColumns,
  raws: readonly RawRow[],
  dialect: Dialect,
): RowBatch {
  const rows = hydrateRows(shown, dialect, raws)
  return {
    entity,
    rows,
    valuesOf: (column) => {
      if (shown.includes(column)) return rows.map((row) => row[column.property])
      const at = read.indexOf(column)
      const readValue = reader(column, dialect)
      return raws.map((raw) => readValue(raw[at]))
    },
  }
}

/** The columns to read for rows that show some and need others for their relations or cursors. */
export function readColumns(
  shown: readonly EntityColumn[],
  needed: Iterable<EntityColumn>,
): ReadColumns {
  const hidden = new Set(needed)
  for (const column of shown) hidden.delete(column)
  return { shown, read: hidden.size === 0 ? shown : [...shown, ...hidden] }
}

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
