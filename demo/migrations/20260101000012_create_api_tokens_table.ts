import { createApiTokensTable } from 'framework/auth'
import type { Schema } from 'framework/database'

export async function up(schema: Schema): Promise<void> {
  await createApiTokensTable(schema)
}

export async function down(schema: Schema): Promise<void> {
  await schema.dropTable('api_tokens')
}
