import type { Dialect } from '../../database/sql/dialects/dialect.ts'
import { reader } from '../../database/sql/values/reader.ts'
import type { AnyEntity, EntityColumn } from '../entity/entity.ts'
import { hydrateRows } from './hydrate-rows.ts'
import type { PlainRow, RawRow } from './hydrate-rows.ts'

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
