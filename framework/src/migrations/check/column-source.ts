import type { EntityColumn } from '../../orm/entity/entity.ts'
import type { CatalogColumn } from '../../database/sql/dialects/catalog/catalog-dialect.ts'

/** The column that a foreign key refers to. */
export interface SourceTarget {
  readonly table: string
  readonly column: string
}

/** A column of an entity, or one like it. */
export type SourceColumn = Pick<EntityColumn, 'name' | 'kind' | 'precision' | 'scale'> & {
  readonly members?: readonly string[]
}

/** What the source of a column says besides its kind. */
interface SourceOptions {
  readonly isNullable?: boolean
  /** The default, as TypeScript: `.default(0)`. */
  readonly default?: string
  readonly target?: SourceTarget | null
  /** The column of the database, whose length stays. */
  readonly current?: CatalogColumn
  /** The length of a text or bytes without one, which not every database can index. */
  readonly length?: number
}

/** A column in a migration, as TypeScript: `table.text('title').nullable()`. */
export function columnSource(column: SourceColumn, options: SourceOptions = {}): string {
  const { target = null } = options
  // Not every database can index, and so refer by, a text without a length.
  const length = options.length ?? (target === null ? null : 190)
  const isReference = target !== null && isWhole(column)
  const start = isReference
    ? `references(${quoted(column.name)}, ${referenceSource(target)})`
    : `${method(column, options.current, length)}${target === null ? '' : `.references(${referenceSource(target)})`}`
  const nullable = options.isNullable === true ? '.nullable()' : ''
  return `table.${start}${nullable}${options.default ?? ''}`
}

/** Whether a column holds whole numbers. */
export function isWhole({ kind }: Pick<SourceColumn, 'kind'>): boolean {
  return kind === 'integer' || kind === 'safe-integer' || kind === 'bigint'
}

/** A text as TypeScript. */
export function quoted(text: string): string {
  return `'${JSON.stringify(text)
    .slice(1, -1)
    .replaceAll(String.raw`\"`, '"')
    .replaceAll("'", String.raw`\'`)}'`
}

/** Texts as TypeScript. */
export function quotedList(texts: readonly string[]): string {
  return `[${texts.map(quoted).join(', ')}]`
}

/** The arguments of a reference: `'users'`, or with the column if it is not the default one. */
export function referenceSource({ table, column }: SourceTarget): string {
  return column === 'id' ? quoted(table) : `${quoted(table)}, { column: ${quoted(column)} }`
}

/** A default that every row can have, as TypeScript; null for a kind without one. */
export function neutralDefault(column: SourceColumn): string | null {
  const { members: [member] = [] } = column
  const kind: string = column.kind
  if (kind === 'enumeration') return member === undefined ? null : `.default(${quoted(member)})`
  return neutral[kind] ?? null
}

const neutral: Readonly<Record<string, string>> = {
  integer: '.default(0)',
  'safe-integer': '.default(0)',
  bigint: '.default(0n)',
  decimal: `.default('0')`,
  float: '.default(0)',
  boolean: '.default(false)',
  text: `.default('')`,
}

function method(
  column: SourceColumn,
  current: CatalogColumn | undefined,
  length: number | null,
): string {
  const { name, precision, scale, members = [] } = column
  const kind: string = column.kind
  const limit = current?.limit.length ?? length
  const given = quoted(name)
  if (kind === 'text' && current?.limit.isFixed === true) return `char(${given}, ${limit})`
  if ((kind === 'text' || kind === 'bytes') && limit !== null) {
    return `${kind}(${given}, { length: ${limit} })`
  }
  if (kind === 'decimal') return `decimal(${given}, { precision: ${precision}, scale: ${scale} })`
  if (kind === 'enumeration') return `enumeration(${given}, ${quotedList(members)})`
  return `${methods[kind] ?? kind}(${given})`
}

const methods: Readonly<Record<string, string>> = {
  'safe-integer': 'safeInteger',
  'exact-timestamp': 'timestamp',
}
