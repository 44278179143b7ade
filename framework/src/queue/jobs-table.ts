import type { Schema } from '../migrations/schema.ts'

/** The default table of `SqlJobs`. */
export const jobsTable = 'jobs'

/** Creates the table for `SqlJobs`, in a migration. */
export async function createJobsTable(schema: Schema, name: string = jobsTable): Promise<void> {
  await schema.createTable(name, (table) => {
    table.key()
    table.text('queue', { length: 64 })
    table.text('state', { length: 8 })
    // For a running job this is the end of its lease, after which it can be claimed again.
    table.bigint('due')
    table.text('lease', { length: 36 }).nullable()
    table.integer('attempts').default(0)
    // SHA-256 of the idempotency key. NULLs are never equal, so jobs without a key do not collide.
    table.char('digest', 64).nullable()
    table.bytes('payload').nullable()
    table.text('reason', { length: 120 }).nullable()
    table.bigint('created_at')
    table.bigint('ended_at').nullable()
    table.unique(['queue', 'digest'])
    // In the order of claiming, so that the next job is the first index entry.
    table.index(['queue', 'state', 'due', 'id'])
  })
}
