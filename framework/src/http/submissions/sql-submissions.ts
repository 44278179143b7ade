import { epochSeconds } from '../../base/time/epoch-seconds.ts'
import type { Surface } from '../../database/surface.ts'
import type { Dialect } from '../../database/sql/dialects/dialect.ts'
import { sql, Slot, StatementTemplate } from '../../database/sql/plan/statement.ts'
import type { Statement } from '../../database/sql/plan/statement.ts'
import { ExpiringTable } from '../../database/expiring-table.ts'
import { upsertStatement } from '../../database/upsert-statement.ts'
import type { Schema } from '../../migrations/schema.ts'
import type {
  SubmissionClaim,
  SubmissionProgress,
  SubmissionSlot,
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
  readonly #take: StatementTemplate

  constructor(surface: Surface, { table = 'submissions' }: SqlSubmissionsOptions = {}) {
    this.#rows = new ExpiringTable(surface, table, 'slot')
    this.#take = new StatementTemplate(takeStatement(table, surface.dialect), surface.dialect)
  }

  async take(
    { slot, digest }: SubmissionSlot,
    claim: string,
    { now, expires }: SubmissionTimes,
  ): Promise<boolean> {
    const query = this.#take.query({ slot, digest, claim, now, expires })
    const { rows } = await this.#rows.run(query)
    return Object(rows[0])['claim'] === claim
  }

  async look({ slot, digest }: SubmissionSlot, now: number): Promise<SubmissionProgress> {
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

  sweep(now: number = epochSeconds()): Promise<number> {
    return this.#rows.sweep(sql`expires <= ${Math.floor(now)}`)
  }
}

const [slot, digest, claim] = [new Slot('slot'), new Slot('digest'), new Slot('claim')]
const [now, expires] = [new Slot('now'), new Slot('expires')]

/** Claims a slot, unless it holds the same submission, and returns whose claim is in it then. */
function takeStatement(table: string, dialect: Dialect): Statement {
  const [kept, until] = [sql.name(table, 'digest'), sql.name(table, 'expires')]
  const ifFree = (column: string, value: unknown): Statement =>
    sql`CASE WHEN ${kept} <> ${digest} OR ${until} <= ${now} THEN ${value}
      ELSE ${sql.name(table, column)} END`
  return upsertStatement(
    {
      table: sql.name(table),
      key: ['slot'],
      row: { slot, digest, claim, sealed: sql`''`, expires },
      // The condition reads the last two, which some databases would otherwise have changed by then.
      changes: {
        claim: ifFree('claim', claim),
        sealed: ifFree('sealed', sql`''`),
        expires: ifFree('expires', expires),
        digest: sql`${digest}`,
      },
      returning: ['claim'],
    },
    dialect,
  )
}

/**
 * Creates the table of `SqlSubmissions` in a migration: `await createSubmissionsTable(schema)`. The
 * matching `down` is `schema.dropTable('submissions')`.
 */
export async function createSubmissionsTable(
  schema: Schema,
  name: string = 'submissions',
): Promise<void> {
  await schema.createTable(name, (table) => {
    table.char('slot', 64)
    table.char('digest', 64)
    table.char('claim', 32)
    table.text('sealed')
    table.bigint('expires')
    table.primary(['slot'])
    table.index(['expires'])
  })
}
