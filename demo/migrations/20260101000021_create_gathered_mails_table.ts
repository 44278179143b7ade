import type { Schema } from 'framework/database'
import { createGatheredMailsTable } from 'framework/mail'

export async function up(schema: Schema): Promise<void> {
  await createGatheredMailsTable(schema)
}

export async function down(schema: Schema): Promise<void> {
  await schema.dropTable('gathered_mails')
}
