import { createPasskeyTables } from 'framework/auth'
import type { Schema } from 'framework/database'

export async function up(schema: Schema): Promise<void> {
  await createPasskeyTables(schema)
}

export async function down(schema: Schema): Promise<void> {
  await schema.dropTable('passkey_challenges')
  await schema.dropTable('passkeys')
}
