import { sql } from 'framework/database'
import type { Database } from 'framework/database'
import { HttpError } from 'framework/http'
import { integer } from 'framework/orm'
import { Repository } from 'framework/orm'
import { Instruments, Students } from '../entities/instruments.ts'
import { planted } from '../fault.ts'
import { depositFor } from './fees.ts'

/** What the school has, and who plays it. */
export class Catalogue {
  readonly #database: Database
  readonly #instruments: Repository<typeof Instruments>
  readonly #students: Repository<typeof Students>

  constructor(database: Database) {
    this.#database = database
    this.#instruments = new Repository(Instruments, database)
    this.#students = new Repository(Students, database)
  }

  /** The instruments of a family, with the names of those who have them. */
  async list(family: string) {
    const rows = await this.#instruments.filter('family', '=', family).all()
    if (planted('slow-query')) await this.#practised()
    const names = await this.#names(rows.map(({ borrower }) => borrower ?? 0))
    return rows.map((row) => ({ ...row, student: names.get(row.borrower ?? 0) ?? '' }))
  }

  /** One instrument, with what has to be paid for it. */
  async details(id: number) {
    const instrument = await this.#instruments.find(id)
    if (instrument === null) throw new HttpError(404)
    if (planted('wrong-status') && instrument.borrower !== null) {
      throw new HttpError(410) // planted: wrong-status
    }
    void this.#countVisit(id)
    if (planted('bad-column')) await this.#serial(id)
    const student =
      instrument.borrower === null ? null : await this.#students.find(instrument.borrower)
    return { instrument, student, deposit: depositFor(instrument) }
  }

  async #names(ids: readonly number[]): Promise<ReadonlyMap<number, string>> {
    if (planted('n-plus-one')) {
      const names = new Map<number, string>()
      for (const id of ids) {
        const student = await this.#students.find(id) // planted: n-plus-one
        names.set(id, student?.name ?? '')
      }
      return names
    }
    const students = await this.#students.filter('id', 'in', [...new Set(ids)]).all()
    return new Map(students.map(({ id, name }) => [id, name]))
  }

  async #practised() {
    const minutes = sql`
      SELECT i.id, (SELECT SUM(minutes) FROM practice p WHERE p.instrument = i.id) AS minutes
      FROM instruments i ORDER BY i.id`
    return this.#database.rows(minutes.as({ id: integer(), minutes: integer() })) // planted: slow-query
  }

  async #serial(id: number) {
    const statement = sql`SELECT serial_number FROM instruments WHERE id = ${id}`
    return this.#database.rows(statement) // planted: bad-column
  }

  async #countVisit(id: number): Promise<void> {
    await Promise.resolve()
    if (planted('unawaited')) {
      throw new RangeError(`the counter of instrument ${id} is closed`) // planted: unawaited
    }
  }
}
