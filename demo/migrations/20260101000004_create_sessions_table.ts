import type { Schema } from 'framework/database'
import { createSessionsTable } from 'framework/sessions'

export async function up(schema: Schema): Promise<void> {
  await createSessionsTable(schema)
}

export async function down(schema: Schema): Promise<void> {
  await schema.dropTable('sessions')
}
