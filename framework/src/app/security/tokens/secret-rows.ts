import { Throwables } from '../../../base/throwables/throwables.ts'
import { isDatabase } from '../../../data/database/is-database.ts'
import type { ObjectRow } from '../../../data/database/object-rows.ts'
import type { Result } from '../../../data/database/operation.ts'
import type { Surface } from '../../../data/database/surface.ts'
import { untilSettled } from '../../../data/database/until-settled.ts'
import { Dialects } from '../../../data/sql/dialects/dialect.ts'
import { sql } from '../../../data/sql/plan/statement.ts'
import type { Statement } from '../../../data/sql/plan/statement.ts'

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

/** Rows that one statement of a sweep drops at most, so that no other waits long for it. */
const sweepBatch = 1000

/** How many rows are added for each that also sweeps. */
const additionsPerSweep = 1000

/** The table of `Tokens` or of `Trust`: rows that are found by a selector and end at a time. */
export class SecretRows {
  readonly dialect: Dialects
  /** The quoted name of the table. */
  readonly table: unknown
  /**
   * Ends a SELECT whose row will be judged. A transaction may look at a picture of the past, in which
   * a validator that is right by now looks like a replayed one; a locked row is the one of now.
   */
  readonly lock: Statement
  readonly #surface: Surface
  readonly #isWhole: boolean
  readonly #name: string
  readonly #clock: () => number
  readonly #throwables: Throwables
  readonly #random: () => number

  constructor(surface: Surface, name: string, options: SecretRowsOptions) {
    this.#surface = surface
    this.#isWhole = isDatabase(surface)
    this.#name = options.table ?? name
    this.#clock = options.clock ?? (() => Date.now() / 1000)
    this.#throwables = options.throwables ?? Throwables
    this.#random = options.random ?? Math.random
    this.dialect = surface.dialect.name
    this.table = sql.name(this.#name)
    const canLock = !this.#isWhole && this.dialect !== Dialects.SQLite
    this.lock = canLock ? sql`FOR UPDATE` : sql``
  }

  /** Whole epoch seconds. */
  now(): number {
    return Math.floor(this.#clock())
  }

  /** Runs a statement, again if the database ended it in favour of another. */
  run(statement: Statement): Promise<Result> {
    return untilSettled(this.#surface, () => this.#surface.run(statement))
  }

  /** The rows of a SELECT. */
  list(statement: Statement): Promise<readonly ObjectRow[]> {
    return untilSettled(this.#surface, () => this.#surface.rows(statement))
  }

  /** Drops the rows that a WHERE clause names; the number of them. */
  async drop(where: Statement): Promise<number> {
    const { affected } = await this.run(sql`DELETE FROM ${this.table} WHERE ${where}`)
    return affected
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
      if (!this.#isWhole) throw error
      this.#throwables.notify(error, { table: this.#name })
      return refusal
    }
  }

  /** Drops all rows whose time is over; the number of them. */
  async sweep(): Promise<number> {
    const now = this.now()
    let dropped = 0
    for (;;) {
      const batch = await this.#sweepBatch(now)
      dropped += batch
      if (batch < sweepBatch) return dropped
    }
  }

  /**
   * Sweeps one batch now and then, so that a table nobody sweeps does not grow for ever. Never in a
   * transaction, which would hold the rows of others until it ends.
   */
  async sweepByChance(): Promise<void> {
    if (!this.#isWhole || this.#random() * additionsPerSweep >= 1) return
    await this.failClosed(0, () => this.#sweepBatch(this.now()))
  }

  #sweepBatch(now: number): Promise<number> {
    const isOver = sql`expires <= ${now}`
    if (this.dialect === Dialects.MariaDB) return this.drop(sql`${isOver} LIMIT ${sweepBatch}`)
    // Asked twice: a row that is renewed between the two must stay.
    const found = sql`SELECT id FROM ${this.table} WHERE ${isOver} LIMIT ${sweepBatch}`
    return this.drop(sql`${isOver} AND id IN (${found})`)
  }
}
