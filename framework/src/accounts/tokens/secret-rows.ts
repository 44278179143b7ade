import { epochSeconds } from '../../base/time/epoch-seconds.ts'
import type { ObjectRow } from '../../database/sql/plan/declared-rows.ts'
import type { Surface } from '../../database/surface.ts'
import { fixedSql, sql } from '../../database/sql/plan/statement.ts'
import type { Statement } from '../../database/sql/plan/statement.ts'
import { ExpiringTable } from '../../database/expiring-table.ts'
import { failClosed } from '../fail-closed.ts'
import type { FailureOptions } from '../fail-closed.ts'
import type { TableBuilder } from '../../migrations/table-builder.ts'
import { isProven, readTokenText } from './token.ts'

/** Options of the stores `Tokens` and `Trust`. */
export interface SecretRowsOptions extends FailureOptions {
  /** @default 'tokens' for `Tokens`, 'trusts' for `Trust` */
  readonly table?: string
  /** Epoch seconds. The clocks of all workers must agree within a few seconds. */
  readonly clock?: () => number
  /** A random number from 0 up to 1; one in a thousand additions also sweeps. */
  readonly random?: () => number
}

/** One in this many additions also sweeps. */
const additionsPerSweep = 1000

/** The table of `Tokens` or `Trust`: rows with a selector and an expiry time. */
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

  constructor(surface: Surface, name: string, options: SecretRowsOptions) {
    const { table = name, random = Math.random } = options
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

  /** The row that a token proves to hold, with these columns; null for any other text. Nothing is used up. */
  async findProven(token: string, columns: Statement): Promise<ObjectRow | null> {
    const proof = readTokenText(token)
    if (proof === null) return null
    const [row] = await this.rows(sql`SELECT selector, verifier, ${columns} FROM ${this.name}
      WHERE selector = ${proof.selector}`)
    const isHolder = isProven(row === undefined ? null : String(row['verifier']), proof)
    return row !== undefined && isHolder ? row : null
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

  /** Deletes all expired rows and resolves with their number. */
  sweepExpired(): Promise<number> {
    return this.sweep(this.#expired())
  }

  /**
   * Occasionally sweeps one batch, so that the table does not grow without bound. Never inside a
   * transaction, which would lock other users' rows until it ends.
   */
  async sweepByChance(): Promise<void> {
    if (this.surface.transactional || this.#random() * additionsPerSweep >= 1) return
    await this.attempt(0, () => this.sweepBatch(this.#expired()))
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
