import type { Schema } from 'framework/database'
import { createTrustsTable } from 'framework/security'

export async function up(schema: Schema): Promise<void> {
  await createTrustsTable(schema)
}

export async function down(schema: Schema): Promise<void> {
  await schema.dropTable('trusts')
}
