import type { Schema } from '../../data/migrations/schema.ts'

/** The table of `SqlJobs` unless another one is named. */
export const jobsTable = 'jobs'

/** Makes the table that `SqlJobs` keeps its jobs in; for a migration. */
export async function createJobsTable(schema: Schema, name: string = jobsTable): Promise<void> {
  await schema.createTable(name, (table) => {
    table.key()
    table.text('queue', { length: 64 })
    table.text('state', { length: 8 })
    // Of a job that runs it is the end of its lease: then it can be taken as if it had never run.
    table.bigint('due')
    table.text('lease', { length: 36 }).nullable()
    table.integer('attempts').default(0)
    // SHA-256 of the idempotency key. NULLs are never equal, so only keys are unique.
    table.char('digest', 64).nullable()
    table.bytes('payload').nullable()
    table.text('reason', { length: 120 }).nullable()
    table.bigint('created_at')
    table.bigint('ended_at').nullable()
    table.unique(['queue', 'digest'])
    // In the order in which jobs are taken: the next one is the first that is found.
    table.index(['queue', 'state', 'due', 'id'])
  })
}
