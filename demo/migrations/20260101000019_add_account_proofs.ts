import { createAccountUndosTable } from 'framework/auth'
import type { Schema } from 'framework/database'

export async function up(schema: Schema): Promise<void> {
  // Since when a link counts as opened by nobody; NULL for accounts that were verified before.
  await schema.addColumn('users', (columns) => columns.bigint('email_unproven_at').nullable())
  await createAccountUndosTable(schema)
}

export async function down(schema: Schema): Promise<void> {
  await schema.dropTable('account_undos')
  await schema.dropColumn('users', 'email_unproven_at')
}
