import { Throwables } from '../../../base/throwables/throwables.ts'
import type { ObjectRow } from '../../../data/database/object-rows.ts'
import type { Surface } from '../../../data/database/surface.ts'
import { fixedSql } from '../../../data/sql/plan/fixed-sql.ts'
import { sql } from '../../../data/sql/plan/statement.ts'
import type { Statement } from '../../../data/sql/plan/statement.ts'
import { ExpiringTable } from '../../../data/tables/expiring-table.ts'

/** Where the rows of a store are, and how it works. */
export interface SecretRowsOptions {
  /** The table; `tokens` for `Tokens` and `trusts` for `Trust` unless given. */
  readonly table?: string
  /** Epoch seconds. All workers need clocks that agree within a few seconds. */
  readonly clock?: () => number
  /** Hears of failures of the database that an answer does not tell. */
  readonly throwables?: Throwables
  /** Chance, from 0 up to 1; one in a thousand that are added also sweeps. */
  readonly random?: () => number
}

/** How many rows are added for each that also sweeps. */
const additionsPerSweep = 1000

/** The table of `Tokens` or of `Trust`: rows that are found by a selector and end at a time. */
export class SecretRows extends ExpiringTable {
  /**
   * Ends a SELECT whose row will be judged. A transaction may look at a picture of the past, in which
   * a validator that is right by now looks like a replayed one; a locked row is the one of now.
   */
  readonly lock: Statement
  readonly #table: string
  readonly #clock: () => number
  readonly #throwables: Throwables
  readonly #random: () => number

  constructor(surface: Surface, name: string, options: SecretRowsOptions) {
    const { table = name, throwables = Throwables, random = Math.random } = options
    super(surface, table, 'id')
    this.#table = table
    this.#clock = options.clock ?? (() => Date.now() / 1000)
    this.#throwables = throwables
    this.#random = random
    this.lock = surface.transactional ? fixedSql(surface.dialect.locks.update) : sql``
  }

  /** Whole epoch seconds. */
  now(): number {
    return Math.floor(this.#clock())
  }

  /** Whether the time of a row is over. Then it is dropped, unless it was renewed in the meantime. */
  async isOver({ id, selector, expires }: ObjectRow, now: number): Promise<boolean> {
    if (Number(expires) > now) return false
    await this.drop(sql`id = ${id} AND selector = ${selector} AND expires <= ${now}`)
    return true
  }

  /**
   * What some work finds, or the refusal when the database fails, which is reported. In a transaction
   * the failure is thrown: its owner must not commit the rest without this part.
   */
  async failClosed<T>(refusal: T, work: () => Promise<T>): Promise<T> {
    try {
      return await work()
    } catch (error) {
      if (this.surface.transactional) throw error
      this.#throwables.notify(error, { table: this.#table })
      return refusal
    }
  }

  /** Drops all rows whose time is over; the number of them. */
  sweepExpired(): Promise<number> {
    return this.sweep(this.#expired())
  }

  /**
   * Sweeps one batch now and then, so that a table nobody sweeps does not grow for ever. Never in a
   * transaction, which would hold the rows of others until it ends.
   */
  async sweepByChance(): Promise<void> {
    if (this.surface.transactional || this.#random() * additionsPerSweep >= 1) return
    await this.failClosed(0, () => this.sweepBatch(this.#expired()))
  }

  #expired(): Statement {
    return sql`expires <= ${this.now()}`
  }
}
