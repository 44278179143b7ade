import type { Schema } from '../migrations/schema.ts'

/** The default table of `SqlSchedule`. */
export const scheduleTable = 'schedule_tasks'

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
