import { invalidArgument } from '../base/errors.ts'
import { caseChecker } from '../database/sql/write/case-checker.ts'
import type { IndexDefinition, IndexPart } from '../database/sql/dialects/alter/alter-dialect.ts'
import { Orders } from '../database/sql/plan/operators.ts'
import { Statement } from '../database/sql/plan/statement.ts'
import { checkedIdentifier, derivedName } from './identifier.ts'

const checkedOrder = caseChecker('the direction of a column in an index', Orders)

/** A part of an index: a column, a column and its direction, or an expression: `` sql`lower(email)` ``. */
export type IndexColumn = string | Statement | readonly [name: string | Statement, order: Orders]

/** Options of an index. */
export interface IndexOptions {
  /** Forbids duplicate values. @default false */
  readonly unique?: boolean
  /** Required with an expression. @default `<table>_<columns>_index`, or `…_unique` */
  readonly name?: string
  /** Indexes only the rows that match: `` sql`deleted_at IS NULL` ``. Not every database can. */
  readonly where?: Statement
}

/** Options of an index on an existing table. */
export interface CreateIndexOptions extends IndexOptions {
  /**
   * Lets others write meanwhile, on a database that otherwise blocks them. There the migration needs
   * `export const transaction = false`. @default false
   */
  readonly concurrently?: boolean
}

/**
 * Builds an index definition.
 * @throws InvalidArgumentException without columns, or for a duplicate column or unknown direction.
 */
export function indexDefinition(
  table: string,
  columns: readonly IndexColumn[],
  { unique = false, name, where }: IndexOptions = {},
): IndexDefinition {
  const parts = columns.map(indexPart)
  const names = indexedNames(parts)
  if (parts.length === 0 || new Set(names).size < names.length) {
    throw invalidArgument(
      `an index of ${table} needs at least one column, each only once, got ${JSON.stringify(names)}`,
    )
  }
  if (name === undefined && names.length < parts.length) {
    throw invalidArgument(
      `an index of ${table} on an expression needs a name: { name: '${table}_lower_email_index' }`,
    )
  }
  return {
    name: checkedIdentifier(name ?? derivedName(table, names, unique ? 'unique' : 'index')),
    table: checkedIdentifier(table),
    columns: parts,
    isUnique: unique,
    where: where ?? null,
  }
}

/** The columns among the parts of an index. */
export function indexedNames(parts: readonly IndexPart[]): readonly string[] {
  return parts.flatMap(({ name }) => (name === null ? [] : [name]))
}

function indexPart(given: IndexColumn): IndexPart {
  const [part, order] = isPlain(given) ? [given, Orders.Asc] : given
  return part instanceof Statement
    ? { name: null, expression: part, order: checkedOrder(order) }
    : { name: checkedIdentifier(part), expression: null, order: checkedOrder(order) }
}

function isPlain(column: IndexColumn): column is string | Statement {
  return typeof column === 'string' || column instanceof Statement
}
