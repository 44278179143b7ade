import type { DatabaseSync, SQLInputValue, StatementSync } from 'node:sqlite'

import { InvalidArgumentException } from '../../../base/errors.ts'
import { DatabaseError } from '../database-error.ts'
import type { Result } from '../operation.ts'
import { isIdle, scanStatement } from './scan-statement.ts'
import { prepareFailure } from './sqlite-failure.ts'

// After any other statement SQLite still tells the rows of the last of these.
const changing: ReadonlySet<string> = new Set(['insert', 'update', 'delete', 'replace', 'with'])

/** A statement that SQLite has compiled, ready to be run with its values. */
export class PreparedStatement {
  readonly #statement: StatementSync
  #names: readonly string[]
  readonly #placeholders: number
  readonly #isChanging: boolean
  /** Whether it can be run again later: one that selects `*` would miss a change of its table. */
  readonly isLasting: boolean
  #isRaw = false

  /** @throws DatabaseError E_STATEMENT, InvalidArgumentException for parameters that are no `?`. */
  constructor(database: DatabaseSync, sql: string) {
    this.#statement = prepare(database, sql)
    const { verb, placeholders, hasOtherParameters, hasStar } = scanStatement(sql)
    if (hasOtherParameters) throw refused('the parameters of a statement for SQLite are written ?')
    this.#placeholders = placeholders
    this.#isChanging = changing.has(verb)
    this.isLasting = !hasStar
    this.#names = columnNames(this.#statement)
    this.#statement.setReturnArrays(true)
  }

  /** Runs it. Rows are lists of raw values with every integer a bigint, or objects by column name. */
  run(values: readonly SQLInputValue[], isRaw: boolean): Result {
    // SQLite would take a missing value for NULL.
    if (values.length !== this.#placeholders) {
      throw refused(
        `the statement has ${this.#placeholders} parameters, got ${values.length} values`,
      )
    }
    if (isRaw !== this.#isRaw) {
      this.#statement.setReadBigInts(isRaw)
      this.#isRaw = isRaw
    }
    if (this.#names.length === 0) return this.#change(values)
    const lists: readonly unknown[] = this.#statement.all(...values)
    // SQLite finds out on its way that another connection has changed the table.
    if (!this.isLasting) this.#names = columnNames(this.#statement)
    return { rows: isRaw ? lists : lists.map((list) => this.#row(list)), affected: lists.length }
  }

  #change(values: readonly SQLInputValue[]): Result {
    const { changes } = this.#statement.run(...values)
    return { rows: [], affected: this.#isChanging ? Number(changes) : 0 }
  }

  // SQLite's own objects have no prototype, unlike those of every other driver, and cost more.
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
  // SQLite compiles the first of several statements and would leave out the others in silence.
  if (isIdle(sql.slice(statement.sourceSQL.length))) return statement
  throw new DatabaseError(
    'E_STATEMENT',
    'the text holds more than one statement; run them one by one',
  )
}

function refused(reason: string): InvalidArgumentException {
  return new InvalidArgumentException('E_INVALID_ARGUMENT', reason)
}
