import { createEmailChangesTable } from 'framework/auth'
import type { Schema } from 'framework/database'

export async function up(schema: Schema): Promise<void> {
  await createEmailChangesTable(schema)
}

export async function down(schema: Schema): Promise<void> {
  await schema.dropTable('email_changes')
}
