import type { Schema } from 'framework/database'
import { createJobsTable } from 'framework/queue'

export async function up(schema: Schema): Promise<void> {
  await createJobsTable(schema)
}

export async function down(schema: Schema): Promise<void> {
  await schema.dropTable('jobs')
}
