import { epochSeconds } from '../../base/time/epoch-seconds.ts'
import type { ObjectRow } from '../../database/sql/plan/declared-rows.ts'
import type { Surface } from '../../database/surface.ts'
import { fixedSql, sql } from '../../database/sql/plan/statement.ts'
import type { Statement } from '../../database/sql/plan/statement.ts'
import { ExpiringTable } from '../../database/expiring-table.ts'
import { failClosed } from '../fail-closed.ts'
import type { FailureOptions } from '../fail-closed.ts'
import type { TableBuilder } from '../../migrations/table-builder.ts'
import { isProven } from './token.ts'
import type { TokenProof } from './token.ts'

/** Options of stores with secrets. */
export interface SecretRowsOptions extends FailureOptions {
  /** Epoch seconds. The clocks of all workers must agree within a few seconds. */
  readonly clock?: () => number
  /** A random number from 0 up to 1; one in a thousand additions also sweeps. */
  readonly random?: () => number
}

/** One in this many additions also sweeps. */
const additionsPerSweep = 1000

/** A table such as those of `Tokens` and `Trust`: rows with a selector and an expiry time. */
export class SecretRows extends ExpiringTable {
  /**
   * Appended to a SELECT whose row is about to be judged. A transaction may read an old snapshot,
   * in which a validator that is valid by now looks replayed; a locked row is always current.
   */
  readonly lock: Statement
  readonly #table: string
  readonly #clock: () => number
  readonly #failures: FailureOptions
  readonly #random: () => number

  constructor(surface: Surface, table: string, options: SecretRowsOptions) {
    const { random = Math.random } = options
    super(surface, table, 'id')
    this.#table = table
    this.#clock = options.clock ?? epochSeconds
    this.#failures = options
    this.#random = random
    this.lock = surface.transactional ? fixedSql(surface.dialect.locks.update) : sql``
  }

  /** Whole epoch seconds. */
  now(): number {
    return Math.floor(this.#clock())
  }

  /** Whether a row has expired. If so it is deleted, unless it was renewed in the meantime. */
  async isOver({ id, selector, expires }: ObjectRow, now: number): Promise<boolean> {
    if (Number(expires) > now) return false
    await this.drop(sql`id = ${id} AND selector = ${selector} AND expires <= ${now}`)
    return true
  }

  /** The row that a token proves to hold, with these columns; null for any other. Nothing is used up. */
  async findProven(proof: TokenProof | null, columns: Statement): Promise<ObjectRow | null> {
    const { row, isHolder } = await this.#bySelector(proof, columns)
    return isHolder ? row : null
  }

  /** The same, unless its time is over: then it is deleted, whoever asks. */
  async findLive(
    proof: TokenProof | null,
    columns: Statement,
    lock: Statement = sql``,
  ): Promise<ObjectRow | null> {
    const { row, isHolder } = await this.#bySelector(proof, sql`expires, ${columns}`, lock)
    return row === null || (await this.isOver(row, this.now())) || !isHolder ? null : row
  }

  /** See `failClosed`. */
  failClosed<T>(refusal: T, work: () => Promise<T>): Promise<T> {
    return failClosed(this.surface, this.#failures, refusal, work, { table: this.#table })
  }

  /** Runs work on which nothing depends: its failure is reported, and `otherwise` is the result. */
  attempt<T>(otherwise: T, work: () => Promise<T>): Promise<T> {
    const failures = { ...this.#failures, onFailure: 'refuse' } as const
    return failClosed(this.surface, failures, otherwise, work, { table: this.#table })
  }

  /** Deletes all expired rows and resolves with their number; 0, and reported, when the database fails. */
  sweepExpired(): Promise<number> {
    return this.failClosed(0, () => this.sweep(this.#expired()))
  }

  /**
   * Occasionally sweeps one batch, so that the table does not grow without bound. Never inside a
   * transaction, which would lock other users' rows until it ends.
   */
  async sweepByChance(): Promise<void> {
    if (this.surface.transactional || this.#random() * additionsPerSweep >= 1) return
    await this.attempt(0, () => this.sweepBatch(this.#expired()))
  }

  async #bySelector(proof: TokenProof | null, columns: Statement, lock: Statement = sql``) {
    if (proof === null) return { row: null, isHolder: false }
    const [row = null] = await this.rows(sql`SELECT id, selector, verifier, ${columns}
      FROM ${this.name} WHERE selector = ${proof.selector}${lock}`)
    return { row, isHolder: isProven(row === null ? null : String(row['verifier']), proof) }
  }

  #expired(): Statement {
    return sql`expires <= ${this.now()}`
  }
}

/** The first columns of most such tables: the secret, and whose it is. */
export function secretColumns(table: TableBuilder): void {
  table.key()
  table.char('selector', 16).unique()
  table.char('verifier', 64)
  // Text without a foreign key: the project decides which table and column hold the accounts.
  table.text('user_id', { length: 255 })
}
