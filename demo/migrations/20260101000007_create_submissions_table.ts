import type { Schema } from 'framework/database'
import { createSubmissionsTable } from 'framework/sessions'

export async function up(schema: Schema): Promise<void> {
  await createSubmissionsTable(schema)
}

export async function down(schema: Schema): Promise<void> {
  await schema.dropTable('submissions')
}
