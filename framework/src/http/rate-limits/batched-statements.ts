import type { Result } from '../../database/operation.ts'
import type { Surface } from '../../database/surface.ts'
import type { Query } from '../../database/sql/plan/query.ts'

interface Waiting {
  readonly query: Query
  readonly resolve: (result: Result) => void
  readonly reject: (error: unknown) => void
}

/**
 * Runs the statements of one turn of the event loop in one transaction. On a synchronous database most
 * of the cost of a write is the commit, so a batch is cheaper. If one fails, all fail.
 */
export class BatchedStatements {
  readonly #database: Surface
  #waiting: Waiting[] = []

  constructor(database: Surface) {
    this.#database = database
  }

  run(query: Query): Promise<Result> {
    if (this.#waiting.length === 0) setImmediate(() => void this.#send())
    return new Promise((resolve, reject) => {
      this.#waiting.push({ query, resolve, reject })
    })
  }

  async #send(): Promise<void> {
    const waiting = this.#waiting
    this.#waiting = []
    try {
      const results = await this.#results(waiting.map(({ query }) => query))
      for (const [at, result] of results.entries()) waiting[at]?.resolve(result)
    } catch (error) {
      for (const { reject } of waiting) reject(error)
    }
  }

  async #results(queries: readonly Query[]): Promise<readonly Result[]> {
    const [only, another] = queries
    if (only !== undefined && another === undefined) return [await this.#database.run(only)]
    return this.#database.transaction((transaction) =>
      queries.map((query) => transaction.dispatch(query).result),
    )
  }
}
