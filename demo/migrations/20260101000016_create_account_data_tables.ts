import { createAccountDeletionsTable, createAccountExportsTable } from 'framework/auth'
import type { Schema } from 'framework/database'

export async function up(schema: Schema): Promise<void> {
  await createAccountDeletionsTable(schema)
  await createAccountExportsTable(schema)
}

export async function down(schema: Schema): Promise<void> {
  await schema.dropTable('account_exports')
  await schema.dropTable('account_deletions')
}
