import type { ObjectRow } from '../database/object-rows.ts'
import type { Result } from '../database/operation.ts'
import { SerialTransaction } from '../database/serial-transaction.ts'
import type { Surface } from '../database/surface.ts'
import type { Dialect } from '../sql/dialects/dialect.ts'
import type { Query } from '../sql/plan/query.ts'
import type { Statement } from '../sql/plan/statement.ts'
import {
  addColumnStatements,
  createIndexStatement,
  createTableStatements,
} from './compile-table.ts'
import { checkedIdentifier } from './identifier.ts'
import { indexDefinition } from './index-definition.ts'
import type { IndexColumn, IndexOptions } from './index-definition.ts'
import type { TableBuilder } from './table-builder.ts'
import { columnDefinition, tableDefinition } from './table-definition.ts'
import { hasTable } from './table-catalog.ts'

/** Changes the schema of a database, in a migration. */
export class Schema {
  readonly dialect: Dialect
  /** The transaction of the migration, for a `Repository` or statements that return rows. */
  readonly surface: Surface
  readonly #changes: string[] = []

  constructor(surface: Surface) {
    this.dialect = surface.dialect
    this.surface = surface
    // Where each schema change commits, a new transaction is opened afterwards: see `#reopened`.
    const isEnded = this.dialect.schema.implicitCommit !== null
    if (isEnded && surface instanceof SerialTransaction) surface.releaseControl()
  }

  /** Descriptions of the changes so far. */
  get changes(): readonly string[] {
    return this.#changes
  }

  /** Creates a table: `createTable('posts', (table) => { table.key(); table.text('title') })`. */
  async createTable(name: string, define: (table: TableBuilder) => void): Promise<void> {
    const definition = tableDefinition(name, define)
    await this.#change(`created table ${name}`, createTableStatements(definition, this.dialect))
  }

  /** Drops a table with its rows. */
  async dropTable(name: string): Promise<void> {
    await this.#change(`dropped table ${name}`, [`DROP TABLE ${this.#quoted(name)}`])
  }

  /** Renames a table. Its indexes keep their names. */
  async renameTable(from: string, to: string): Promise<void> {
    const statement = `ALTER TABLE ${this.#quoted(from)} RENAME TO ${this.#quoted(to)}`
    await this.#change(`renamed table ${from} to ${to}`, [statement])
  }

  /** Whether a table exists. */
  hasTable(name: string): Promise<boolean> {
    return hasTable(this.surface, name)
  }

  /**
   * Adds a column: `addColumn('posts', (table) => table.text('slug', { length: 80 }).nullable())`.
   * @throws InvalidArgumentException for a column that the database cannot add to an existing
   * table.
   */
  async addColumn(table: string, define: (table: TableBuilder) => unknown): Promise<void> {
    const added = columnDefinition(table, define)
    const statements = addColumnStatements(table, added, this.dialect)
    await this.#change(`added column ${table}.${added.column.name}`, statements)
  }

  /** Drops a column and every index it is part of. Not every database can drop a foreign key. */
  async dropColumn(table: string, column: string): Promise<void> {
    const statements = await this.dialect.schema.dropColumn(this.surface, table, column)
    await this.#change(`dropped column ${table}.${column}`, statements)
  }

  /** Renames a column. */
  async renameColumn(table: string, from: string, to: string): Promise<void> {
    const change = `RENAME COLUMN ${this.#quoted(from)} TO ${this.#quoted(to)}`
    const statement = `ALTER TABLE ${this.#quoted(table)} ${change}`
    await this.#change(`renamed column ${table}.${from} to ${to}`, [statement])
  }

  /** Creates an index on columns in the given order. */
  async createIndex(
    table: string,
    columns: readonly IndexColumn[],
    options: IndexOptions = {},
  ): Promise<void> {
    const index = indexDefinition(table, columns, options)
    const indexed = index.columns.map(({ name }) => name)
    await this.dialect.schema.refuseUnindexableIn(this.surface, table, indexed)
    await this.#change(`created index ${index.name}`, [createIndexStatement(index, this.dialect)])
  }

  /** Drops the index that `createIndex` creates from the same arguments. */
  async dropIndex(
    table: string,
    columns: readonly IndexColumn[],
    options: IndexOptions = {},
  ): Promise<void> {
    const { name } = indexDefinition(table, columns, options)
    const statement = this.dialect.schema.dropIndex(this.#quoted(name), this.#quoted(table))
    await this.#change(`dropped index ${name}`, [statement])
  }

  /** Runs a custom statement: `` run(sql`UPDATE posts SET views = ${0}`) ``. */
  async run(statement: Query | Statement): Promise<Result> {
    const result = await this.surface.run(statement)
    if (await this.#reopened()) this.#changes.push('ran a custom statement')
    return result
  }

  /** Runs a custom statement and resolves with its rows. */
  rows(statement: Query | Statement): Promise<readonly ObjectRow[]> {
    return this.surface.rows(statement)
  }

  async #change(description: string, statements: readonly string[]): Promise<void> {
    for (const statement of statements) await this.surface.run({ sql: statement, parameters: [] })
    this.#changes.push(description)
    await this.#reopened()
  }

  // After a schema change has committed, opens a new transaction, so that the rows written by a
  // migration belong together and savepoints work.
  async #reopened(): Promise<boolean> {
    const { implicitCommit } = this.dialect.schema
    if (implicitCommit === null) return false
    const [row] = await this.surface.rows(implicitCommit.isOpen)
    if (Number(row?.['open']) === 1) return false
    await this.surface.run(implicitCommit.begin)
    return true
  }

  #quoted(name: string): string {
    return this.dialect.quote(checkedIdentifier(name))
  }
}
