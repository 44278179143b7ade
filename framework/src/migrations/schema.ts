import { invalidArgument } from '../base/errors.ts'
import type { ObjectRow } from '../database/sql/plan/declared-rows.ts'
import type { Result } from '../database/operation.ts'
import { SerialTransaction } from '../database/serial-transaction.ts'
import type { Surface } from '../database/surface.ts'
import type { AlterDialect } from '../database/sql/dialects/alter/alter-dialect.ts'
import { columnOf, isIndexed, keysOf } from '../database/sql/dialects/catalog/catalog-dialect.ts'
import type { CatalogTable } from '../database/sql/dialects/catalog/catalog-dialect.ts'
import type { Dialect } from '../database/sql/dialects/dialect.ts'
import type { Query, Statement } from '../database/sql/plan/statement.ts'
import {
  addColumnStatements,
  columnChange,
  createIndexStatement,
  createTableStatements,
  foreignKeyClause,
} from './compile-table.ts'
import { buildConcurrently, refuseNulls, refuseRounding, warnOfBlocking } from './alter-table.ts'
import type { WarningOptions } from './alter-table.ts'
import { referenceTarget } from './column-builder.ts'
import type { ReferenceOptions } from './column-builder.ts'
import { checkedIdentifier } from './identifier.ts'
import { indexDefinition, indexedNames } from './index-definition.ts'
import type { CreateIndexOptions, IndexColumn } from './index-definition.ts'
import type { TableBuilder } from './table-builder.ts'
import { columnDefinition, tableDefinition } from './table-definition.ts'

/** Where a schema changes tables. */
export interface SchemaOptions {
  /** Whether it runs outside a transaction, as some statements require. @default false */
  readonly isAlone?: boolean
  /** Who is warned of changes that block others. @default nobody */
  readonly warnings?: WarningOptions | null
}

/** Options of a foreign key on an existing table. */
export interface ForeignKeyOptions extends ReferenceOptions {
  /**
   * False to check the existing rows later, with `validateForeignKey`, on a database that can: the
   * check blocks nobody then. Others check them immediately. @default true
   */
  readonly validate?: boolean
}

/** Changes the schema of a database, in a migration. */
export class Schema {
  readonly dialect: Dialect
  /** The transaction of the migration, for a `Repository` or statements that return rows. */
  readonly surface: Surface
  readonly #changes: string[] = []
  readonly #isAlone: boolean
  readonly #warnings: WarningOptions | null

  constructor(surface: Surface, { isAlone = false, warnings = null }: SchemaOptions = {}) {
    this.#isAlone = isAlone
    this.#warnings = warnings
    this.dialect = surface.dialect
    this.surface = surface
    // Where each schema change commits, it opens a new transaction afterwards.
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
  async hasTable(name: string): Promise<boolean> {
    return (await this.surface.rows(this.dialect.schema.findTable(name))).length > 0
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

  /**
   * Gives a column the described type, nullability and default; its indexes and its foreign key stay:
   * `changeColumn('posts', (table) => table.text('title', { length: 200 }).nullable())`.
   * @throws InvalidArgumentException when a row does not fit, or for a key, `unique()` or
   * `references()`, which have methods of their own.
   */
  async changeColumn(table: string, define: (table: TableBuilder) => unknown): Promise<void> {
    const { column } = columnDefinition(table, define, 'changeColumn')
    const change = columnChange(table, column, this.dialect)
    const { alter } = this.dialect.schema
    const current = columnOf(await this.#tableOf(table), column.name)
    if (current === undefined) throw invalidArgument(`${table} has no column ${column.name}`)
    if (!column.isNullable) await refuseNulls(this.surface, table, column.name)
    await refuseRounding(this.surface, current, change)
    const reason = alter.slow.changeColumn(current, change)
    await this.#warn(table, `changeColumn of ${column.name}`, reason)
    await this.#apply(`changed column ${table}.${column.name}`, () =>
      alter.changeColumn(this.surface, change, current),
    )
  }

  /** Drops a column, every index it is part of and its foreign key. */
  async dropColumn(table: string, column: string): Promise<void> {
    const { alter } = this.dialect.schema
    const found = await this.#tableOf(table)
    await this.#warn(table, `dropColumn of ${column}`, alter.slow.dropColumn)
    await this.#apply(`dropped column ${table}.${column}`, () =>
      alter.dropColumn(this.surface, found, column),
    )
  }

  /** Renames a column. */
  async renameColumn(table: string, from: string, to: string): Promise<void> {
    const change = `RENAME COLUMN ${this.#quoted(from)} TO ${this.#quoted(to)}`
    const statement = `ALTER TABLE ${this.#quoted(table)} ${change}`
    await this.#change(`renamed column ${table}.${from} to ${to}`, [statement])
  }

  /**
   * Makes a column a foreign key, with an index unless it has one: `addForeignKey('posts', 'author_id',
   * 'users', { onDelete: 'cascade' })`.
   */
  async addForeignKey(
    table: string,
    column: string,
    target: string,
    { validate = true, ...options }: ForeignKeyOptions = {},
  ): Promise<void> {
    const { alter } = this.dialect.schema
    const reference = referenceTarget(target, options)
    const clause = foreignKeyClause(table, column, reference, this.dialect)
    const found = await this.#tableOf(table)
    if (columnOf(found, column) === undefined) {
      throw invalidArgument(`${table} has no column ${column}`)
    }
    if (!isIndexed(found, column)) await this.createIndex(table, [column])
    await this.#warn(
      table,
      `addForeignKey of ${column}`,
      validate ? alter.slow.addForeignKey : null,
    )
    await this.#apply(`added foreign key ${table}.${column}`, () =>
      alter.addForeignKey(this.surface, { table: found, column, clause, validate }),
    )
  }

  /** Drops the foreign key of a column. The column and its index stay. */
  async dropForeignKey(table: string, column: string): Promise<void> {
    const { slow, dropForeignKeys } = this.dialect.schema.alter
    await this.#warn(table, `dropForeignKey of ${column}`, slow.dropForeignKey)
    await this.#changeKeys(`dropped foreign key ${table}.${column}`, table, column, dropForeignKeys)
  }

  /** Checks the rows of a foreign key that was added with `validate: false`. */
  async validateForeignKey(table: string, column: string): Promise<void> {
    const { validateForeignKeys } = this.dialect.schema.alter
    if (validateForeignKeys === null) return
    const description = `validated foreign key ${table}.${column}`
    await this.#changeKeys(description, table, column, validateForeignKeys)
  }

  /**
   * Creates an index on columns or expressions in the given order.
   * @throws InvalidArgumentException for an index that the database cannot have.
   */
  async createIndex(
    table: string,
    columns: readonly IndexColumn[],
    { concurrently = false, ...options }: CreateIndexOptions = {},
  ): Promise<void> {
    const index = indexDefinition(table, columns, options)
    const { alter, refuseUnindexable } = this.dialect.schema
    const names = indexedNames(index.columns)
    if (names.length > 0) {
      refuseUnindexable(table, (await this.#tableOf(table)).columns, names)
    }
    const builder = concurrently ? alter.concurrently : null
    if (builder === null) {
      await this.#warn(table, `createIndex ${index.name}`, alter.slow.createIndex)
      return this.#change(`created index ${index.name}`, [
        createIndexStatement(index, this.dialect),
      ])
    }
    this.#assertAlone(builder.objection)
    const statement = createIndexStatement(index, this.dialect, builder.keyword)
    await this.#apply(`created index ${index.name}`, () =>
      buildConcurrently(this.surface, builder, index, statement),
    )
  }

  /** Drops the index that `createIndex` creates from the same arguments. */
  async dropIndex(
    table: string,
    columns: readonly IndexColumn[],
    { concurrently = false, ...options }: CreateIndexOptions = {},
  ): Promise<void> {
    const { name } = indexDefinition(table, columns, options)
    const { alter, dropIndex } = this.dialect.schema
    const builder = concurrently ? alter.concurrently : null
    if (builder !== null) this.#assertAlone(builder.objection)
    const index = [builder?.keyword ?? '', this.#quoted(name)].join(' ').trim()
    await this.#change(`dropped index ${name}`, [dropIndex(index, this.#quoted(table))])
  }

  /** Runs a custom statement: `` run(sql`UPDATE posts SET views = ${0}`) ``. */
  async run(statement: Query | Statement<unknown>): Promise<Result> {
    const result = await this.surface.run(statement)
    if (await this.#reopened()) this.#changes.push('ran a custom statement')
    return result
  }

  /** Runs a custom statement and resolves with its rows. */
  rows<Row = ObjectRow>(statement: Query | Statement<Row>): Promise<readonly Row[]> {
    return this.surface.rows(statement)
  }

  async #change(description: string, statements: readonly string[]): Promise<void> {
    await this.#apply(description, async () => {
      for (const statement of statements) await this.surface.run({ sql: statement, parameters: [] })
    })
  }

  async #changeKeys(
    description: string,
    table: string,
    column: string,
    change: AlterDialect['dropForeignKeys'],
  ): Promise<void> {
    const found = await this.#tableOf(table)
    const keys = keysOf(found, column)
    if (keys.length === 0) throw invalidArgument(`${table}.${column} is not a foreign key`)
    await this.#apply(description, () => change(this.surface, found, keys))
  }

  async #tableOf(name: string): Promise<CatalogTable> {
    const table = await this.dialect.schema.catalog.readTable(this.surface, name)
    if (table !== null) return table
    throw invalidArgument(`there is no table ${name}`)
  }

  async #apply(description: string, work: () => Promise<void>): Promise<void> {
    await work()
    this.#changes.push(description)
    await this.#reopened()
  }

  async #warn(table: string, change: string, reason: string | null): Promise<void> {
    if (this.#warnings === null) return
    await warnOfBlocking(this.surface, this.#warnings, { table, change, reason })
  }

  #assertAlone(objection: string): void {
    if (!this.#isAlone) throw invalidArgument(objection)
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
