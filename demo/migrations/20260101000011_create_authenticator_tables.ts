import { createAuthenticatorTables } from 'framework/auth'
import type { Schema } from 'framework/database'

export async function up(schema: Schema): Promise<void> {
  await createAuthenticatorTables(schema)
}

export async function down(schema: Schema): Promise<void> {
  await schema.dropTable('recovery_codes')
  await schema.dropTable('totp_secrets')
}
