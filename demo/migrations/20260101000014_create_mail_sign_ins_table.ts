import { createMailSignInsTable } from 'framework/auth'
import type { Schema } from 'framework/database'

export async function up(schema: Schema): Promise<void> {
  await createMailSignInsTable(schema)
}

export async function down(schema: Schema): Promise<void> {
  await schema.dropTable('mail_sign_ins')
}
