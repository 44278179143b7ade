import { sql } from 'framework/database'
import type { Database } from 'framework/database'
import { Repository } from 'framework/orm'
import { Loans } from '../entities/instruments.ts'
import { planted } from '../fault.ts'

/** Who borrows what. */
export class LoanDesk {
  readonly #database: Database
  readonly #loans: Repository<typeof Loans>

  constructor(database: Database) {
    this.#database = database
    this.#loans = new Repository(Loans, database)
  }

  /** Lends an instrument, unless somebody has it. */
  async lend(instrument: number, student: number): Promise<boolean> {
    const taken = planted('unique')
      ? false
      : await this.#loans.filter('instrument', '=', instrument).exists()
    if (taken) return false
    await this.#loans.insert({ instrument, student }) // planted: unique
    return true
  }

  /** Two students exchange their instruments. */
  async swap(first: number, second: number): Promise<void> {
    // In one order for everybody, so that two swaps never wait for each other.
    const ids = planted('deadlock') ? [first, second] : [first, second].sort((a, b) => a - b)
    await this.#database.transaction(async (transaction) => {
      for (const id of ids) {
        const touch = sql`UPDATE instruments SET value = value + 1 WHERE id = ${id}`
        await transaction.run(touch) // planted: deadlock
        await transaction.run(sql`SELECT pg_sleep(1.5)`)
      }
    })
  }

  /** Writes down the value of an instrument after an inspection. */
  async inspect(id: number): Promise<void> {
    await this.#database.transaction(async (transaction) => {
      const value = sql`UPDATE instruments SET value = value + 1 WHERE id = ${id}`
      await transaction.run(value) // planted: lock-wait
      if (planted('lock-wait')) await new Promise((done) => setTimeout(done, 4000))
    })
  }
}
