import { nullIfDuplicate } from '../database/database-error.ts'
import { ExpiringTable } from '../database/expiring-table.ts'
import { snakeCase } from '../database/sql/plan/column-reference.ts'
import { sql } from '../database/sql/plan/statement.ts'
import type { Statement } from '../database/sql/plan/statement.ts'
import type { Surface } from '../database/surface.ts'
import type { Schema } from '../migrations/schema.ts'
import { enumeration, safeInteger, text } from '../orm/entity/column.ts'
import { ScheduleStore } from './schedule-store.ts'
import type { TaskState } from './schedule-store.ts'

const scheduleTable = 'schedule_tasks'

/** The columns of the table, by the properties of a state. */
const columns = {
  task: text(),
  expression: text(),
  dueMs: safeInteger(),
  lease: text().nullable(),
  leaseMs: safeInteger(),
  runDueMs: safeInteger().nullable(),
  startedMs: safeInteger().nullable(),
  endedMs: safeInteger().nullable(),
  outcome: enumeration(['done', 'failed']).nullable(),
  reason: text().nullable(),
  successMs: safeInteger().nullable(),
  runs: safeInteger(),
  failures: safeInteger(),
  skipped: safeInteger(),
  missed: safeInteger(),
}

/** Options of `SqlSchedule`. */
export interface SqlScheduleOptions {
  /** Name of the table created by `createScheduleTable`. @default 'schedule_tasks' */
  readonly table?: string
}

/** The schedule in a table of the application's own database, shared by all machines. */
export class SqlSchedule extends ScheduleStore {
  readonly #rows: ExpiringTable

  constructor(surface: Surface, { table = scheduleTable }: SqlScheduleOptions = {}) {
    super()
    this.#rows = new ExpiringTable(surface, table, 'task')
  }

  list(): Promise<readonly TaskState[]> {
    return this.#select(sql`ORDER BY task`)
  }

  async find(task: string): Promise<TaskState | null> {
    const [state = null] = await this.#select(sql`WHERE task = ${task}`)
    return state
  }

  protected async add({ task, expression, dueMs }: TaskState): Promise<void> {
    const insert = sql`INSERT INTO ${this.#rows.name} (task, expression, due_ms)
      VALUES (${task}, ${expression}, ${dueMs})`
    // Another process may add it at the same time; both would have added the same row.
    await this.#rows.run(insert).catch(nullIfDuplicate)
  }

  protected async replace(seen: TaskState, next: TaskState): Promise<boolean> {
    const set = Object.entries(next).map(([property, value]) => {
      return sql`${sql.name(snakeCase(property))} = ${value}`
    })
    const { affected } = await this.#rows.run(sql`UPDATE ${this.#rows.name}
      SET ${sql.list(set)} WHERE ${isStill(seen)}`)
    return affected > 0
  }

  protected async drop(seen: TaskState): Promise<boolean> {
    return (await this.#rows.drop(isStill(seen))) > 0
  }

  #select(rest: Statement): Promise<readonly TaskState[]> {
    const names = sql.list(Object.keys(columns).map((name) => sql.name(snakeCase(name))))
    const select = sql`SELECT ${names} FROM ${this.#rows.name} ${rest}`
    return this.#rows.surface.rows(select.as(columns))
  }
}

/** That a row has the state that was seen: each change leaves at least one of these others. */
function isStill({
  task,
  expression,
  dueMs,
  lease,
  leaseMs,
  startedMs,
  runs,
}: TaskState): Statement {
  const sameLease = lease === null ? sql`lease IS NULL` : sql`lease = ${lease}`
  const sameStart = startedMs === null ? sql`started_ms IS NULL` : sql`started_ms = ${startedMs}`
  return sql`task = ${task} AND expression = ${expression} AND due_ms = ${dueMs}
    AND lease_ms = ${leaseMs} AND runs = ${runs} AND ${sameLease} AND ${sameStart}`
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
