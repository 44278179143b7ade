import { epochSeconds } from '../base/time/epoch-seconds.ts'
import { DatabaseError } from '../database/database-error.ts'
import type { ObjectRow } from '../database/sql/plan/declared-rows.ts'
import { unlessNested, deadlockRetries } from '../database/transaction-options.ts'
import type { Surface } from '../database/surface.ts'
import { sql } from '../database/sql/plan/statement.ts'
import type { Statement } from '../database/sql/plan/statement.ts'
import { ExpiringTable } from '../database/expiring-table.ts'
import { ErrorLimits, ErrorStates } from './error-store.ts'
import type {
  ErrorBatch,
  ErrorDetails,
  ErrorGroup,
  ErrorList,
  ErrorQuery,
  ErrorStore,
} from './error-store.ts'
import { errorTables } from './error-tables.ts'
import { findErrors, findGroup, listErrors } from './read-errors.ts'
import { recordErrors } from './record-errors.ts'

/** Options of `SqlErrors`. */
export interface SqlErrorsOptions {
  /** Epoch seconds. The clocks of all workers must agree within a few seconds. */
  readonly clock?: () => number
}

/** Failures of an outage: a later attempt may succeed. */
const transientFailures: ReadonlySet<string> = new Set([
  'E_CONNECTION_LOST',
  'E_DATABASE_BUSY',
  'E_DATABASE_CLOSED',
  'E_DEADLOCK',
  'E_POOL_TIMEOUT',
  'E_STATEMENT_TIMEOUT',
])
const perSweep = 100

const groups = sql.name(errorTables.groups)
const samples = sql.name(errorTables.samples)
const marks = sql.name(errorTables.marks)

/** Groups of errors in three tables of the application's database, made by `createErrorTables`. */
export class SqlErrors implements ErrorStore {
  readonly #surface: Surface
  readonly #groups: ExpiringTable
  readonly #samples: ExpiringTable
  readonly #nowMs: () => number

  constructor(surface: Surface, { clock = epochSeconds }: SqlErrorsOptions = {}) {
    this.#surface = surface
    this.#groups = new ExpiringTable(surface, errorTables.groups, 'fingerprint')
    this.#samples = new ExpiringTable(surface, errorTables.samples, 'id')
    this.#nowMs = () => Math.round(clock() * 1000)
  }

  async record(batch: ErrorBatch): Promise<ErrorGroup | null> {
    const { isNew, isReturned } = await recordErrors(this.#surface, batch)
    if (isNew) await this.#dropSurplus()
    return isReturned ? findGroup(this.#surface, batch.fingerprint) : null
  }

  list(query: ErrorQuery): Promise<ErrorList> {
    return listErrors(this.#surface, query)
  }

  find(fingerprint: string): Promise<ErrorDetails | null> {
    return findErrors(this.#surface, fingerprint)
  }

  resolve(fingerprint: string, release: string | null): Promise<boolean> {
    const now = this.#nowMs()
    // An occurrence that is already counted was before it, whatever the clocks say.
    return this.#change(
      fingerprint,
      ErrorStates.Resolved,
      sql`resolved_ms = CASE WHEN last_ms > ${now} THEN last_ms ELSE ${now} END,
        resolved_release = ${release}, returned_ms = NULL, returned_release = NULL`,
    )
  }

  mute(fingerprint: string): Promise<boolean> {
    return this.#change(fingerprint, ErrorStates.Muted, notResolved)
  }

  reopen(fingerprint: string): Promise<boolean> {
    return this.#change(fingerprint, ErrorStates.Open, notResolved)
  }

  async sweep(): Promise<number> {
    const tooOld = this.#nowMs() - ErrorLimits.age * 1000
    let dropped = await this.#samples.sweep(sql`at_ms < ${tooOld}`)
    for (;;) {
      const found = await this.#groups.rows(
        sql`SELECT fingerprint FROM ${groups} WHERE last_ms < ${tooOld} LIMIT ${perSweep}`,
      )
      // Seen again meanwhile: it stays.
      for (const row of found) dropped += await this.#drop(row, sql`last_ms < ${tooOld}`)
      if (found.length < perSweep) break
    }
    return dropped + (await this.#dropSurplus())
  }

  isUnavailable(error: unknown): boolean {
    return error instanceof DatabaseError && transientFailures.has(error.code)
  }

  async #change(fingerprint: string, state: ErrorStates, more: Statement): Promise<boolean> {
    const { affected } = await this.#groups.run(sql`UPDATE ${groups} SET state = ${state}, ${more}
      WHERE fingerprint = ${fingerprint} AND state <> ${state}`)
    return affected > 0
  }

  /** Resolved groups make room first, then those that were not seen for the longest time. */
  async #dropSurplus(): Promise<number> {
    const [row] = await this.#groups.rows(sql`SELECT count(*) AS total FROM ${groups}`)
    const surplus = Number(row?.['total'] ?? 0) - ErrorLimits.groups
    if (surplus <= 0) return 0
    const found = await this.#groups.rows(sql`SELECT fingerprint FROM ${groups}
      ORDER BY CASE state WHEN 'resolved' THEN 0 ELSE 1 END, last_ms, fingerprint
      LIMIT ${surplus}`)
    let dropped = 0
    for (const one of found) dropped += await this.#drop(one, sql`1 = 1`)
    return dropped
  }

  // The group first: its row keeps others from adding to it until the rest is gone.
  #drop({ fingerprint }: ObjectRow, condition: Statement): Promise<number> {
    return this.#surface.transaction(
      async (transaction) => {
        const isGroup = sql`fingerprint = ${fingerprint}`
        const { affected } = await transaction.run(
          sql`DELETE FROM ${groups} WHERE ${isGroup} AND ${condition}`,
        )
        if (affected === 0) return 0
        const dropped = await transaction.run(sql`DELETE FROM ${samples} WHERE ${isGroup}`)
        await transaction.run(sql`DELETE FROM ${marks} WHERE ${isGroup}`)
        return affected + dropped.affected
      },
      unlessNested(this.#surface, { isolation: 'read-committed', retry: deadlockRetries }),
    )
  }
}

const notResolved = sql`resolved_ms = NULL, resolved_release = NULL`
