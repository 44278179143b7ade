import type { ObjectRow } from './sql/plan/declared-rows.ts'
import type { Result } from './operation.ts'
import type { Surface } from './surface.ts'
import type { Query, Statement } from './sql/plan/statement.ts'
import { sql } from './sql/plan/statement.ts'
import { retryOnDeadlock } from './transaction-options.ts'

/** Maximum number of rows that one statement of a sweep deletes, so that it blocks others only briefly. */
const sweepBatch = 1000

/**
 * A table whose rows expire: sessions, cache entries, tokens, jobs. Every statement is retried after a
 * deadlock.
 */
export class ExpiringTable {
  readonly surface: Surface
  /** Its name, for use in statements. */
  readonly name: unknown
  readonly #key: unknown

  /** `key` is a unique column. */
  constructor(surface: Surface, name: string, key: string) {
    this.surface = surface
    this.name = sql.name(name)
    this.#key = sql.name(key)
  }

  /** Runs a statement and resolves with its result. */
  run(statement: Query | Statement): Promise<Result> {
    return retryOnDeadlock(this.surface, () => this.surface.run(statement))
  }

  /** Runs a statement and resolves with its rows. */
  rows(statement: Statement): Promise<readonly ObjectRow[]> {
    return retryOnDeadlock(this.surface, () => this.surface.rows(statement))
  }

  /** Deletes the rows that match a condition; resolves with their number. */
  async drop(condition: Statement): Promise<number> {
    const { affected } = await this.run(sql`DELETE FROM ${this.name} WHERE ${condition}`)
    return affected
  }

  /** Deletes all rows that match a condition, in batches; resolves with their number. */
  async sweep(isOver: Statement): Promise<number> {
    let dropped = 0
    for (;;) {
      const batch = await this.sweepBatch(isOver)
      dropped += batch
      if (batch < sweepBatch) return dropped
    }
  }

  /** Deletes one batch of the rows that match a condition; resolves with its size. */
  async sweepBatch(isOver: Statement): Promise<number> {
    const statement = this.surface.dialect.deleteSome({
      table: this.name,
      key: this.#key,
      condition: isOver,
      limit: sweepBatch,
    })
    return (await this.run(statement)).affected
  }
}
