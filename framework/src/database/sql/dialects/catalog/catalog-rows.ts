import type { ColumnReference } from '../../plan/column-reference.ts'
import type { CatalogForeignKey, CatalogIndex, CatalogLimit } from './catalog-dialect.ts'

type Row = Readonly<Record<string, unknown>>

/** Whether a value of a catalog means yes. */
export function isYes(value: unknown): boolean {
  return value === true || value === 1 || value === 1n || value === '1' || value === 'YES'
}

/** The length in a type such as `varchar(80)` or `char(4)`. */
export function lengthIn(type: string): CatalogLimit {
  const found = /^(?:(var)?(?:char|binary)|character( varying)?)\((\d+)\)/i.exec(type)
  if (found === null) return { length: null, isFixed: false }
  const isFixed = found[1] === undefined && found[2] === undefined
  return { length: Number(found[3]), isFixed }
}

/** A default as text; null for none. */
export function defaultIn(value: unknown): string | null {
  return typeof value === 'string' && value !== 'NULL' ? value : null
}

/**
 * The indexes in rows of `name`, `column_name`, `is_unique` and `is_partial`, in the order of their
 * columns.
 */
export function indexesIn(rows: readonly Row[]): readonly CatalogIndex[] {
  return [...Map.groupBy(rows, ({ name }) => name).values()].map((parts) => ({
    columns: parts.map(({ column_name: column }) => (typeof column === 'string' ? column : null)),
    isUnique: isYes(parts[0]?.['is_unique']),
    isPartial: isYes(parts[0]?.['is_partial']),
  }))
}

/** The foreign keys in rows of `name`, `column_name`, `target_table` and `target_column`. */
export function foreignKeysIn(rows: readonly Row[]): readonly CatalogForeignKey[] {
  return [...Map.groupBy(rows, ({ name }) => name).values()].map((parts) => ({
    columns: parts.map(({ column_name: column }) => String(column)),
    table: String(parts[0]?.['target_table']),
    targets: parts.map(({ target_column: column }) => String(column)),
  }))
}

/** Whether a type matches the pattern of its kind; a decimal also needs the same digits. */
export function fitsPattern(
  patterns: Readonly<Record<string, RegExp>>,
  type: string,
  { kind, precision, scale }: ColumnReference,
): boolean {
  const pattern = patterns[kind]
  if (pattern === undefined) return true
  const found = pattern.exec(type)
  if (found === null) return false
  const [, digits, places = '0'] = kind === 'decimal' ? found : []
  return digits === undefined || (Number(digits) === precision && Number(places) === scale)
}
