import type { DatabaseSync, SQLInputValue, StatementSync } from 'node:sqlite'
import { InvalidArgumentException } from '../../base/errors.ts'
import { DatabaseError } from '../database-error.ts'
import type { Result, ResultDetails } from '../operation.ts'
import { isBlank, scanStatement } from './scan-statement.ts'
import { prepareFailure } from './sqlite-errors.ts'

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

function invalidArgument(reason: string): InvalidArgumentException {
  return new InvalidArgumentException('E_INVALID_ARGUMENT', reason)
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
