import type { Surface } from '../../data/database/surface.ts'
import { sql } from '../../data/sql/plan/statement.ts'
import type { Statement } from '../../data/sql/plan/statement.ts'
import { ExpiringTable } from '../../data/tables/expiring-table.ts'
import { upsertStatement } from '../../data/tables/upsert-statement.ts'
import type {
  SubmissionClaim,
  SubmissionProgress,
  SubmissionPlace,
  SubmissionStore,
  SubmissionTimes,
} from './submission-store.ts'

/** Options of `SqlSubmissions`. */
export interface SqlSubmissionsOptions {
  /**
   * Created by `createSubmissionsTable`.
   * @default 'submissions'
   */
  readonly table?: string
}

/** Submissions in a table of the database, shared by all workers. */
export class SqlSubmissions implements SubmissionStore {
  readonly #rows: ExpiringTable
  readonly #table: string

  constructor(surface: Surface, { table = 'submissions' }: SqlSubmissionsOptions = {}) {
    this.#rows = new ExpiringTable(surface, table, 'slot')
    this.#table = table
  }

  async take(
    { slot, digest }: SubmissionPlace,
    claim: string,
    { now, expires }: SubmissionTimes,
  ): Promise<boolean> {
    const [kept, until] = [sql.name(this.#table, 'digest'), sql.name(this.#table, 'expires')]
    const isFree = sql`${kept} <> ${digest} OR ${until} <= ${now}`
    const ifFree = (column: string, value: unknown): Statement =>
      sql`CASE WHEN ${isFree} THEN ${value} ELSE ${sql.name(this.#table, column)} END`
    const statement = upsertStatement(
      {
        table: this.#rows.name,
        key: ['slot'],
        row: { slot, digest, claim, sealed: '', expires },
        // The condition reads the last two, which some databases would otherwise have changed by then.
        changes: {
          claim: ifFree('claim', claim),
          sealed: ifFree('sealed', ''),
          expires: ifFree('expires', expires),
          digest: sql`${digest}`,
        },
        returning: ['claim'],
      },
      this.#rows.surface.dialect,
    )
    const [row] = await this.#rows.rows(statement)
    return row?.['claim'] === claim
  }

  async look({ slot, digest }: SubmissionPlace, now: number): Promise<SubmissionProgress> {
    const [row] = await this.#rows.rows(sql`SELECT sealed FROM ${this.#rows.name}
      WHERE slot = ${slot} AND digest = ${digest} AND expires > ${now}`)
    if (row === undefined) return null
    const sealed = String(row['sealed'])
    return sealed === '' ? 'pending' : { sealed }
  }

  async record(
    { slot, claim }: SubmissionClaim,
    sealed: string,
    { expires }: SubmissionTimes,
  ): Promise<void> {
    await this.#rows.run(sql`UPDATE ${this.#rows.name} SET sealed = ${sealed}, expires = ${expires}
      WHERE slot = ${slot} AND claim = ${claim}`)
  }

  async release({ slot, claim }: SubmissionClaim): Promise<void> {
    await this.#rows.drop(sql`slot = ${slot} AND claim = ${claim}`)
  }

  sweep(now: number = Date.now() / 1000): Promise<number> {
    return this.#rows.sweep(sql`expires <= ${Math.floor(now)}`)
  }
}
