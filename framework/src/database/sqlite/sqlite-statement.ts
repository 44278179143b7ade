import type { DatabaseSync, SQLInputValue, StatementSync } from 'node:sqlite'
import { invalidArgument } from '../../base/errors.ts'
import { DatabaseError } from '../database-error.ts'
import type { Result, ResultDetails } from '../operation.ts'
import { isBlank, scanStatement } from './scan-statement.ts'
import { prepareFailure } from './sqlite-errors.ts'
import { dateParameter, invalidParameter, textParameter } from '../sql/values/bindable.ts'
import { rowMaker } from '../sql/values/column-readers.ts'
import type { MakeRows } from '../sql/values/column-readers.ts'

// After any other statement SQLite still reports the row count of the last of these.
const changing: ReadonlySet<string> = new Set(['insert', 'update', 'delete', 'replace', 'with'])

/** A statement compiled by SQLite. */
export class PreparedStatement {
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
  if (typeof value !== 'bigint') throw invalidParameter(index, described(value))
  if (value >= minBigint && value <= maxBigint) return value
  throw invalidParameter(index, 'a bigint of more than 64 bits')
}

function described(value: unknown): string {
  if (value === undefined) return 'undefined; use null for NULL'
  if (Array.isArray(value)) return 'a list'
  return typeof value === 'object' ? 'an object' : `a ${typeof value}`
}

// The driver binds a number as a double, which a text column would store as '5.0'. Only a double
// can represent -0.
function boundNumber(value: number, index: number): SQLInputValue {
  if (Number.isSafeInteger(value) && !Object.is(value, -0)) return BigInt(value)
  if (Number.isNaN(value)) throw invalidParameter(index, 'NaN, which SQLite would store as NULL')
  return value
}

/**
 * Caches at most `limit` recently used entries by text. It keeps two generations instead of an
 * order: a hit in the young one costs one lookup, and what was not used while a generation filled
 * up is dropped.
 */
export class StatementCache<Entry> {
  readonly #generation: number
  #young = new Map<string, Entry>()
  #old = new Map<string, Entry>()

  constructor(limit: number) {
    this.#generation = Math.ceil(limit / 2)
  }

  get(text: string): Entry | undefined {
    const young = this.#young.get(text)
    if (young !== undefined) return young
    const old = this.#old.get(text)
    if (old !== undefined) this.set(text, old)
    return old
  }

  set(text: string, entry: Entry): void {
    if (this.#young.size >= this.#generation) {
      this.#old = this.#young
      this.#young = new Map()
    }
    this.#old.delete(text)
    this.#young.set(text, entry)
  }

  get size(): number {
    return this.#young.size + this.#old.size
  }
}
