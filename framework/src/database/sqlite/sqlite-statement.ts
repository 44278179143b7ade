import type { DatabaseSync, SQLInputValue, StatementSync } from 'node:sqlite'
import { invalidArgument } from '../../base/errors.ts'
import { DatabaseError } from '../database-error.ts'
import type { Result, ResultDetails } from '../operation.ts'
import { isBlank, scanStatement } from './scan-statement.ts'
import { prepareFailure } from './sqlite-errors.ts'
import { dateParameter, invalidParameter, textParameter } from '../sql/values/bindable.ts'

// After any other statement SQLite still reports the row count of the last of these.
const changing: ReadonlySet<string> = new Set(['insert', 'update', 'delete', 'replace', 'with'])

/** A statement compiled by SQLite. */
export class PreparedStatement {
  readonly #statement: StatementSync
  #names: readonly string[]
  readonly #placeholders: number
  readonly #isChanging: boolean
  /** Whether it can be cached: one that selects `*` would miss a change of its table. */
  readonly isReusable: boolean
  readonly #isInsert: boolean
  #isRaw = false
  #insertId: number | bigint = 0

  /** @throws DatabaseError E_STATEMENT, InvalidArgumentException for parameters other than `?`. */
  constructor(database: DatabaseSync, sql: string) {
    this.#statement = prepare(database, sql)
    const { verb, placeholders, hasOtherParameters, hasStar } = scanStatement(sql)
    if (hasOtherParameters) throw invalidArgument('write the parameters of SQLite statements as ?')
    this.#placeholders = placeholders
    this.#isChanging = changing.has(verb)
    this.#isInsert = verb === 'insert' || verb === 'replace'
    this.isReusable = !hasStar
    this.#names = columnNames(this.#statement)
    this.#statement.setReturnArrays(true)
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
    const lists: readonly unknown[] = this.#statement.all(...values)
    // SQLite notices during execution that another connection has changed the table.
    if (!this.isReusable) this.#names = columnNames(this.#statement)
    return { rows: isRaw ? lists : lists.map((list) => this.#row(list)), affected: lists.length }
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

  // The objects of node:sqlite have no prototype, unlike those of every other driver, and cost
  // more.
  #row(list: unknown): Record<string, unknown> {
    const row: Record<string, unknown> = {}
    if (!Array.isArray(list)) return row
    for (const [index, name] of this.#names.entries()) row[name] = list[index]
    return row
  }
}

function columnNames(statement: StatementSync): readonly string[] {
  return statement.columns().map(({ name }) => name)
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
