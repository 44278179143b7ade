import type { ObjectRow } from '../database/object-rows.ts'
import type { Result } from '../database/operation.ts'
import type { Surface } from '../database/surface.ts'
import type { Query } from '../sql/plan/query.ts'
import { sql } from '../sql/plan/statement.ts'
import type { Statement } from '../sql/plan/statement.ts'
import { retryOnDeadlock } from './retry-on-deadlock.ts'

/** Rows that one statement of a sweep drops at most, so that no other waits long for it. */
const sweepBatch = 1000

/**
 * A table whose rows expire, as the stores of sessions, the cache, tokens and jobs keep them. Every
 * statement is tried again when the database ended it in favour of another.
 */
export class ExpiringTable {
  readonly surface: Surface
  /** Its name, to stand in a statement. */
  readonly name: unknown
  readonly #key: unknown

  /** `key` is a unique column. */
  constructor(surface: Surface, name: string, key: string) {
    this.surface = surface
    this.name = sql.name(name)
    this.#key = sql.name(key)
  }

  /** Runs a statement and resolves with what it gave back. */
  run(statement: Query | Statement): Promise<Result> {
    return retryOnDeadlock(this.surface, () => this.surface.run(statement))
  }

  /** Runs a statement and resolves with its rows. */
  rows(statement: Statement): Promise<readonly ObjectRow[]> {
    return retryOnDeadlock(this.surface, () => this.surface.rows(statement))
  }

  /** Drops the rows that fulfil a condition; the number of them. */
  async drop(condition: Statement): Promise<number> {
    const { affected } = await this.run(sql`DELETE FROM ${this.name} WHERE ${condition}`)
    return affected
  }

  /** Drops all rows that fulfil a condition, batch by batch; the number of them. */
  async sweep(isOver: Statement): Promise<number> {
    let dropped = 0
    for (;;) {
      const batch = await this.sweepBatch(isOver)
      dropped += batch
      if (batch < sweepBatch) return dropped
    }
  }

  /** Drops one batch of the rows that fulfil a condition; the number of them. */
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
