import { DatabaseError } from '../database/database-error.ts'
import { sql } from '../database/sql/plan/statement.ts'
import type { Statement } from '../database/sql/plan/statement.ts'
import type { ObjectRow } from '../database/sql/plan/declared-rows.ts'
import type { Surface } from '../database/surface.ts'
import { ExpiringTable } from '../database/expiring-table.ts'
import type { Schema } from '../migrations/schema.ts'
import type {
  PassedTimes,
  RunClaim,
  RunEnd,
  ScheduleStore,
  SeenState,
  TaskState,
} from './schedule-store.ts'

const scheduleTable = 'schedule_tasks'

/** Options of `SqlSchedule`. */
export interface SqlScheduleOptions {
  /** Name of the table created by `createScheduleTable`. @default 'schedule_tasks' */
  readonly table?: string
}

/** The schedule in a table of the application's own database, shared by all machines. */
export class SqlSchedule implements ScheduleStore {
  readonly #rows: ExpiringTable
  readonly #table: unknown

  constructor(surface: Surface, { table = scheduleTable }: SqlScheduleOptions = {}) {
    this.#rows = new ExpiringTable(surface, table, 'task')
    this.#table = this.#rows.name
  }

  async register(
    tasks: readonly Pick<TaskState, 'task' | 'expression'>[],
    nowMs: number,
  ): Promise<void> {
    for (const { task, expression } of tasks) {
      const known = await this.find(task)
      if (known === null) await this.#add(task, expression, nowMs)
      else if (known.expression !== expression) {
        await this.#rows.run(sql`UPDATE ${this.#table} SET expression = ${expression},
            due_ms = CASE WHEN due_ms > ${nowMs} THEN due_ms ELSE ${nowMs} END
          WHERE task = ${task} AND expression = ${known.expression}`)
      }
    }
  }

  async list(): Promise<readonly TaskState[]> {
    const rows = await this.#rows.rows(sql`SELECT * FROM ${this.#table} ORDER BY task`)
    return rows.map(stateOf)
  }

  async find(task: string): Promise<TaskState | null> {
    const [row] = await this.#rows.rows(sql`SELECT * FROM ${this.#table} WHERE task = ${task}`)
    return row === undefined ? null : stateOf(row)
  }

  claim(seen: SeenState, claim: RunClaim): Promise<boolean> {
    const { dueMs, runDueMs, missed, nowMs, lease } = claim
    // An old lease is that of a run whose process has died.
    const lost = seen.lease === null ? 0 : 1
    return this.#change(
      seen,
      sql`due_ms = ${dueMs}, run_due_ms = ${runDueMs}, started_ms = ${nowMs}, ended_ms = NULL,
        lease = ${lease?.token ?? null}, lease_ms = ${lease?.untilMs ?? 0},
        outcome = NULL, reason = NULL, failures = failures + ${lost}, missed = missed + ${missed}`,
    )
  }

  pass(seen: SeenState, { dueMs, skipped, missed }: PassedTimes): Promise<boolean> {
    return this.#change(
      seen,
      sql`due_ms = ${dueMs}, skipped = skipped + ${skipped}, missed = missed + ${missed}`,
    )
  }

  async extend(task: string, token: string, untilMs: number): Promise<boolean> {
    const { affected } = await this.#rows.run(sql`UPDATE ${this.#table} SET lease_ms = ${untilMs}
      WHERE task = ${task} AND lease = ${token}`)
    return affected > 0
  }

  async finish({ task, token, outcome, reason, endedMs }: RunEnd): Promise<boolean> {
    const isDone = outcome === 'done'
    const success = isDone ? sql`${endedMs}` : sql`success_ms`
    const isOurs = token === null ? sql`lease IS NULL` : sql`lease = ${token}`
    const { affected } = await this.#rows.run(sql`UPDATE ${this.#table}
      SET lease = NULL, ended_ms = ${endedMs}, outcome = ${outcome}, reason = ${reason},
        success_ms = ${success}, runs = runs + 1, failures = failures + ${isDone ? 0 : 1}
      WHERE task = ${task} AND ${isOurs}`)
    return affected > 0
  }

  async forget(known: readonly string[], sinceMs: number): Promise<number> {
    const rows = await this.#rows.rows(
      sql`SELECT task FROM ${this.#table} WHERE due_ms < ${sinceMs}`,
    )
    const over = rows.map(({ task }) => String(task)).filter((task) => !known.includes(task))
    let dropped = 0
    for (const task of over) {
      dropped += await this.#rows.drop(sql`task = ${task} AND due_ms < ${sinceMs}`)
    }
    return dropped
  }

  // Another process may add it at the same time; both would have added the same row.
  async #add(task: string, expression: string, nowMs: number): Promise<void> {
    try {
      await this.#rows.run(sql`INSERT INTO ${this.#table} (task, expression, due_ms)
        VALUES (${task}, ${expression}, ${nowMs})`)
    } catch (error) {
      if (!(error instanceof DatabaseError && error.code === 'E_DUPLICATE_KEY')) throw error
    }
  }

  async #change({ task, dueMs, lease }: SeenState, assignments: Statement): Promise<boolean> {
    const sameLease = lease === null ? sql`lease IS NULL` : sql`lease = ${lease}`
    const { affected } = await this.#rows.run(sql`UPDATE ${this.#table} SET ${assignments}
      WHERE task = ${task} AND due_ms = ${dueMs} AND ${sameLease}`)
    return affected > 0
  }
}

/** Creates the table for `SqlSchedule`, in a migration. */
export async function createScheduleTable(
  schema: Schema,
  name: string = scheduleTable,
): Promise<void> {
  await schema.createTable(name, (table) => {
    table.text('task', { length: 64 })
    table.primary(['task'])
    table.text('expression', { length: 200 })
    // One row for each task, whose due time only grows: each is claimed by one UPDATE, and there are
    // no claims to sweep.
    table.bigint('due_ms')
    table.text('lease', { length: 36 }).nullable()
    table.bigint('lease_ms').default(0)
    table.bigint('run_due_ms').nullable()
    table.bigint('started_ms').nullable()
    table.bigint('ended_ms').nullable()
    table.text('outcome', { length: 8 }).nullable()
    table.text('reason', { length: 120 }).nullable()
    table.bigint('success_ms').nullable()
    table.bigint('runs').default(0)
    table.bigint('failures').default(0)
    table.bigint('skipped').default(0)
    table.bigint('missed').default(0)
  })
}

function stateOf(row: ObjectRow): TaskState {
  const { task, expression, due_ms, lease, lease_ms, outcome, reason } = row
  return {
    task: String(task),
    expression: String(expression),
    dueMs: Number(due_ms),
    lease: textOf(lease),
    leaseMs: Number(lease_ms),
    runDueMs: timeOf(row['run_due_ms']),
    startedMs: timeOf(row['started_ms']),
    endedMs: timeOf(row['ended_ms']),
    outcome: outcome === 'done' || outcome === 'failed' ? outcome : null,
    reason: textOf(reason),
    successMs: timeOf(row['success_ms']),
    runs: Number(row['runs']),
    failures: Number(row['failures']),
    skipped: Number(row['skipped']),
    missed: Number(row['missed']),
  }
}

function textOf(value: unknown): string | null {
  return typeof value === 'string' ? value : null
}

function timeOf(value: unknown): number | null {
  return value === null ? null : Number(value)
}
