import { DatabaseSync } from 'node:sqlite'
import type { SQLInputValue, StatementSync } from 'node:sqlite'
import { RecentTexts } from '../../base/encoding/recent-texts.ts'
import type { Query } from '../sql/plan/statement.ts'
import type { Result, ResultDetails } from '../operation.ts'
import { isLogicError, runFailure, prepareFailure } from './sqlite-errors.ts'
import { invalidArgument } from '../../base/errors.ts'
import { DatabaseError } from '../database-error.ts'
import { isBlank, scanStatement } from './scan-statement.ts'
import {
  dateParameter,
  invalidParameter,
  textParameter,
  unknownParameter,
} from '../sql/values/bindable.ts'
import { rowMaker } from '../sql/values/column-readers.ts'
import type { MakeRows } from '../sql/values/column-readers.ts'

const maxStatements = 100

/**
 * One connection to a database file. It never waits: if the file is locked, it throws immediately.
 */
export class SqliteConnection {
  readonly #database: DatabaseSync
  readonly #statements = new RecentTexts<PreparedStatement>(maxStatements)

  /**
   * Opens the file and runs the given settings.
   * @throws DatabaseError; E_DATABASE_BUSY can be retried.
   */
  constructor(file: string, settings: readonly string[]) {
    this.#database = opened(file)
    try {
      for (const sql of settings) this.run({ sql, parameters: [] })
    } catch (error) {
      this.close()
      throw error
    }
  }

  /** Whether a transaction is open. */
  get isInTransaction(): boolean {
    return this.#database.isTransaction
  }

  /**
   * Runs a statement.
   * @throws DatabaseError, or InvalidArgumentException before anything is run.
   */
  run(query: Query): Result {
    const values = sqliteBindings(query.parameters)
    const prepared = this.#prepared(query.sql)
    try {
      const result = prepared.run(values, query.raw === true)
      return query.details === true ? { ...result, details: prepared.details } : result
    } catch (error) {
      // A table that was dropped since is noticed only now. Preparing the statement again gives an
      // error text that cannot contain a value.
      if (isLogicError(error)) this.#prepare(query.sql)
      throw runFailure(error)
    }
  }

  close(): void {
    this.#database.close()
  }

  #prepared(sql: string): PreparedStatement {
    const known = this.#statements.get(sql)
    known?.renew()
    return known ?? this.#statements.set(sql, this.#prepare(sql))
  }

  #prepare(sql: string): PreparedStatement {
    return new PreparedStatement(this.#database, sql)
  }
}

function opened(file: string): DatabaseSync {
  try {
    return new DatabaseSync(file, { timeout: 0 })
  } catch (error) {
    throw runFailure(error)
  }
}

// After any other statement SQLite still reports the row count of the last of these.
const changing: ReadonlySet<string> = new Set(['insert', 'update', 'delete', 'replace', 'with'])

/** A statement compiled by SQLite. */
class PreparedStatement {
  readonly #database: DatabaseSync
  readonly #sql: string
  #statement: StatementSync
  #names: readonly string[] = []
  readonly #placeholders: number
  readonly #isChanging: boolean
  readonly #hasStar: boolean
  readonly #isInsert: boolean
  #isRaw = false
  #makeRows: MakeRows | null = null
  #insertId: number | bigint = 0

  /** @throws DatabaseError E_STATEMENT, InvalidArgumentException for parameters other than `?`. */
  constructor(database: DatabaseSync, sql: string) {
    this.#database = database
    this.#sql = sql
    this.#statement = this.#prepare()
    const { verb, placeholders, hasOtherParameters, hasStar } = scanStatement(sql)
    if (hasOtherParameters) throw invalidArgument('write the parameters of SQLite statements as ?')
    this.#placeholders = placeholders
    this.#isChanging = changing.has(verb)
    this.#isInsert = verb === 'insert' || verb === 'replace'
    this.#hasStar = hasStar
  }

  /** Prepares it for another run: one that selects `*` would miss a change of its table. */
  renew(): void {
    if (!this.#hasStar) return
    this.#statement = this.#prepare()
    this.#isRaw = false
  }

  #prepare(): StatementSync {
    const statement = prepare(this.#database, this.#sql)
    statement.setReturnArrays(true)
    this.#rename(statement)
    return statement
  }

  #rename(statement: StatementSync): void {
    const names = statement.columns().map(({ name }) => name)
    if (names.join('\0') === this.#names.join('\0')) return
    this.#names = names
    this.#makeRows = null
  }

  /**
   * Runs it. Rows are lists of raw values with all integers as bigint, or objects by column name.
   */
  run(values: readonly SQLInputValue[], isRaw: boolean): Result {
    // SQLite would treat a missing value as NULL.
    if (values.length !== this.#placeholders) {
      throw invalidArgument(
        `the statement has ${this.#placeholders} parameters, got ${values.length} values`,
      )
    }
    if (isRaw !== this.#isRaw) {
      this.#statement.setReadBigInts(isRaw)
      this.#isRaw = isRaw
    }
    if (this.#names.length === 0) return this.#change(values)
    const rows: readonly unknown[] = this.#statement.all(...values)
    // SQLite notices during execution that another connection has changed the table.
    if (this.#hasStar) this.#rename(this.#statement)
    return { rows: isRaw || !areLists(rows) ? rows : this.#objects(rows), affected: rows.length }
  }

  // The objects of node:sqlite have no prototype, unlike those of every other driver, and cost
  // more.
  #objects(lists: readonly (readonly unknown[])[]): readonly unknown[] {
    this.#makeRows ??= rowMaker(this.#names)
    return this.#makeRows(lists)
  }

  /** The details of the last run. */
  get details(): ResultDetails {
    const insertId = this.#isInsert && this.#names.length === 0 ? BigInt(this.#insertId) : null
    return { columns: this.#names, insertId }
  }

  #change(values: readonly SQLInputValue[]): Result {
    const { changes, lastInsertRowid } = this.#statement.run(...values)
    this.#insertId = lastInsertRowid
    return { rows: [], affected: this.#isChanging ? Number(changes) : 0 }
  }
}

// The types of `node:sqlite` do not know of rows as lists.
function areLists(rows: readonly unknown[]): rows is readonly (readonly unknown[])[] {
  return Array.isArray(rows[0])
}

function prepare(database: DatabaseSync, sql: string): StatementSync {
  let statement: StatementSync
  try {
    statement = database.prepare(sql)
  } catch (error) {
    throw prepareFailure(error)
  }
  // SQLite compiles only the first of several statements and silently ignores the rest.
  if (isBlank(sql.slice(statement.sourceSQL.length))) return statement
  throw new DatabaseError(
    'E_STATEMENT',
    'the text contains more than one statement; run them one by one',
  )
}

const maxValues = 32_766
const minBigint = -(2n ** 63n)
const maxBigint = 2n ** 63n - 1n

/**
 * Converts the parameters of a query for SQLite: whole numbers to integers, booleans to 1 and 0,
 * dates to UTC text.
 * @throws InvalidArgumentException for a value that SQLite cannot store exactly; the message does
 * not show the value.
 */
export function sqliteBindings(parameters: readonly unknown[]): SQLInputValue[] {
  if (parameters.length <= maxValues) return parameters.map(binding)
  throw invalidArgument(
    `a statement has ${parameters.length} values, SQLite allows ${maxValues}; split it`,
  )
}

function binding(value: unknown, index: number): SQLInputValue {
  if (typeof value === 'string') return textParameter(value, index)
  if (value === null || value instanceof Uint8Array) return value
  if (typeof value === 'number') return boundNumber(value, index)
  if (typeof value === 'boolean') return value ? 1n : 0n
  if (value instanceof Date) return dateParameter(value, index)
  if (typeof value !== 'bigint') throw unknownParameter(value, index)
  if (value >= minBigint && value <= maxBigint) return value
  throw invalidParameter(index, 'a bigint of more than 64 bits')
}

// The driver binds a number as a double, which a text column would store as '5.0'. Only a double
// can represent -0.
function boundNumber(value: number, index: number): SQLInputValue {
  if (Number.isSafeInteger(value) && !Object.is(value, -0)) return BigInt(value)
  if (Number.isNaN(value)) throw invalidParameter(index, 'NaN, which SQLite would store as NULL')
  return value
}
