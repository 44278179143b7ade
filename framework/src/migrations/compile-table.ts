import { bindable } from '../database/sql/values/bindable.ts'
import type { ColumnChange, IndexDefinition } from '../database/sql/dialects/alter/alter-dialect.ts'
import type { Dialect } from '../database/sql/dialects/dialect.ts'
import type { ColumnDefinition, ColumnTarget } from '../database/sql/plan/column-reference.ts'
import { Orders } from '../database/sql/plan/operators.ts'
import type { Statement } from '../database/sql/plan/statement.ts'
import { invalidArgument } from '../base/errors.ts'
import { derivedName } from './identifier.ts'
import { indexedNames } from './index-definition.ts'
import type { TableDefinition } from './table-definition.ts'

/**
 * The statements that create a table and its indexes. It is a single statement on a database that
 * could not roll back the first of several.
 * @throws InvalidArgumentException for a table that the database cannot have.
 */
export function createTableStatements(
  { name, columns, primary, indexes }: TableDefinition,
  dialect: Dialect,
): readonly string[] {
  const { quote, schema } = dialect
  refuseUnindexable(name, columns, [...primary, ...indexed(indexes)], dialect)
  const keyIsInline = schema.identityIsKey && columns.some(({ isIdentity }) => isIdentity)
  const isOneStatement = schema.implicitCommit !== null
  const lines = [
    ...columns.map((column) => columnClause(column, dialect)),
    ...(primary.length === 0 || keyIsInline
      ? []
      : [`PRIMARY KEY (${primary.map(quote).join(', ')})`]),
    ...columns.flatMap((column) =>
      column.target === null ? [] : [foreignKeyClause(name, column.name, column.target, dialect)],
    ),
    ...(isOneStatement ? indexes.map((index) => inlineIndex(index, dialect)) : []),
  ]
  const table = `CREATE TABLE ${quote(name)} (\n  ${lines.join(',\n  ')}\n)${schema.tableOptions}`
  if (isOneStatement) return [table]
  return [table, ...indexes.map((index) => createIndexStatement(index, dialect))]
}

/**
 * The statements that add a column and its indexes to a table.
 * @throws InvalidArgumentException for a column that the database cannot add to an existing table.
 */
export function addColumnStatements(
  table: string,
  { column, indexes }: { column: ColumnDefinition; indexes: readonly IndexDefinition[] },
  dialect: Dialect,
): readonly string[] {
  const { quote, schema } = dialect
  schema.refuseAdded(table, column)
  refuseUnindexable(table, [column], indexed(indexes), dialect)
  const isOneStatement = schema.implicitCommit !== null
  const parts = [
    ...addedParts(table, column, dialect),
    ...(isOneStatement ? indexes.map((index) => `ADD ${inlineIndex(index, dialect)}`) : []),
  ]
  const alteration = `ALTER TABLE ${quote(table)} ${parts.join(', ')}`
  if (isOneStatement) return [alteration]
  return [alteration, ...indexes.map((index) => createIndexStatement(index, dialect))]
}

function refuseUnindexable(
  table: string,
  columns: readonly ColumnDefinition[],
  names: readonly string[],
  { schema }: Dialect,
): void {
  const typed = columns.map((own) => ({ name: own.name, type: schema.types[own.kind](own) }))
  schema.refuseUnindexable(table, typed, names)
}

function addedParts(table: string, column: ColumnDefinition, dialect: Dialect): readonly string[] {
  const { name, target } = column
  const added = `ADD COLUMN ${columnClause(column, dialect)}`
  if (target === null) return [added]
  if (!dialect.schema.addsConstraints) return [`${added} ${targetClause(target, dialect)}`]
  return [added, `ADD ${foreignKeyClause(table, name, target, dialect)}`]
}

/**
 * The statement that creates an index; `keyword` follows INDEX.
 * @throws InvalidArgumentException for an index that the database cannot have.
 */
export function createIndexStatement(
  index: IndexDefinition,
  dialect: Dialect,
  keyword = '',
): string {
  dialect.schema.alter.refuseIndex(index)
  const { name, table, isUnique, where } = index
  const kind = [isUnique ? 'UNIQUE INDEX' : 'INDEX', keyword].join(' ').trim()
  const parts = indexParts(index, dialect)
  const rows = where === null ? '' : ` WHERE ${inlineSql(where, dialect)}`
  return `CREATE ${kind} ${dialect.quote(name)} ON ${dialect.quote(table)} (${parts})${rows}`
}

/**
 * The change of an existing column, with the parts of its definition as SQL.
 * @throws InvalidArgumentException for what is not part of a column alone.
 */
export function columnChange(
  table: string,
  column: ColumnDefinition,
  dialect: Dialect,
): ColumnChange {
  if (column.isUnique || column.target !== null) {
    const instead = column.isUnique
      ? 'createIndex or dropIndex with { unique: true }'
      : 'addForeignKey or dropForeignKey'
    throw invalidArgument(
      `${table}.${column.name}: changeColumn changes type, nullability and default; for the rest use ${instead}`,
    )
  }
  return {
    table,
    column,
    clause: columnClause(column, dialect),
    type: dialect.schema.types[column.kind](column),
    default: column.default === null ? null : defaultOf(column, dialect),
    check: (expression) => dialect.schema.check(column, expression),
  }
}

function columnClause(column: ColumnDefinition, dialect: Dialect): string {
  const { schema } = dialect
  const name = dialect.quote(column.name)
  if (column.isIdentity) return `${name} ${schema.identity}`
  const check = schema.check(column, name)
  return [
    name,
    schema.types[column.kind](column),
    ...(column.isNullable ? [] : ['NOT NULL']),
    ...(column.default === null ? [] : [`DEFAULT ${defaultOf(column, dialect)}`]),
    ...(check === null ? [] : [`CHECK (${check})`]),
  ].join(' ')
}

function defaultOf(column: ColumnDefinition, dialect: Dialect): string {
  if (column.default === null) return 'NULL'
  if (column.default.type === 'now') return dialect.schema.now
  const { value } = column.default
  // Allows default(0) in place of default(0n).
  const isWhole = column.kind === 'bigint' && Number.isSafeInteger(value)
  return literal(bindable(column, isWhole ? BigInt(String(value)) : value, dialect), dialect)
}

/** The constraint of a foreign key. */
export function foreignKeyClause(
  table: string,
  column: string,
  target: ColumnTarget,
  dialect: Dialect,
): string {
  const name = dialect.quote(derivedName(table, [column], 'foreign'))
  return `CONSTRAINT ${name} FOREIGN KEY (${dialect.quote(column)}) ${targetClause(target, dialect)}`
}

function targetClause({ table, column, onDelete }: ColumnTarget, { quote }: Dialect): string {
  const reference = `REFERENCES ${quote(table)} (${quote(column)})`
  // RESTRICT is the default everywhere; written out, some databases report another error.
  return onDelete === 'restrict' ? reference : `${reference} ON DELETE ${onDelete.toUpperCase()}`
}

function inlineIndex(index: IndexDefinition, dialect: Dialect): string {
  dialect.schema.alter.refuseIndex(index)
  const kind = index.isUnique ? 'UNIQUE INDEX' : 'INDEX'
  return `${kind} ${dialect.quote(index.name)} (${indexParts(index, dialect)})`
}

function indexParts({ columns }: IndexDefinition, dialect: Dialect): string {
  return columns
    .map(({ name, expression, order }) => {
      const part = name === null ? '' : dialect.quote(name)
      const text = expression === null ? part : `(${inlineSql(expression, dialect)})`
      return order === Orders.Desc ? `${text} DESC` : text
    })
    .join(', ')
}

/**
 * SQL with its values as literals, for the parts of schema changes, where no database accepts
 * parameters.
 * @throws InvalidArgumentException for a value that has no literal.
 */
export function inlineSql(statement: Statement, dialect: Dialect): string {
  // NUL cannot be part of a statement, so it marks the places of values.
  const notation = { quote: dialect.quote, placeholder: (at: number) => `\0${at}\0` }
  const { sql, parameters } = statement.compile(notation)
  return sql
    .split('\0')
    .map((part, at) => (at % 2 === 0 ? part : literal(parameters[Number(part) - 1], dialect)))
    .join('')
}

/**
 * A value as an SQL literal, for the defaults of columns, where no database accepts parameters.
 * @throws InvalidArgumentException for a value that has no literal.
 */
export function literal(value: unknown, { schema: { literals } }: Dialect): string {
  if (value === null) return 'NULL'
  if (typeof value === 'bigint') return String(value)
  if (typeof value === 'number' && Number.isFinite(value)) return String(value)
  if (typeof value === 'boolean') return literals.boolean(value)
  if (typeof value === 'string' && value.includes('\0')) {
    throw invalidArgument('a default text cannot contain NUL')
  }
  if (typeof value === 'string') return literals.text(value)
  if (value instanceof Uint8Array) return literals.bytes(Buffer.from(value).toString('hex'))
  throw invalidArgument(
    `a default must be null, a number, a text, a boolean, a Date or bytes, got ${typeof value}`,
  )
}

function indexed(indexes: readonly IndexDefinition[]): readonly string[] {
  return indexes.flatMap(({ columns }) => indexedNames(columns))
}
