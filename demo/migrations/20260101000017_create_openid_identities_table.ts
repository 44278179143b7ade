import { createOpenIdIdentitiesTable } from 'framework/auth'
import type { Schema } from 'framework/database'

export async function up(schema: Schema): Promise<void> {
  await createOpenIdIdentitiesTable(schema)
}

export async function down(schema: Schema): Promise<void> {
  await schema.dropTable('openid_identities')
}
