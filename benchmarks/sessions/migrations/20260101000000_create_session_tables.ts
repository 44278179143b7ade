import { createApiTokensTable, createUsersTable } from '../../../framework/dist/public/auth.js'
import type { Schema } from '../../../framework/dist/public/database.js'
import { createRateLimitsTable } from '../../../framework/dist/public/middlewares.js'
import { createSessionsTable } from '../../../framework/dist/public/sessions.js'

export async function up(schema: Schema): Promise<void> {
  await createSessionsTable(schema)
  await createRateLimitsTable(schema)
  await createUsersTable(schema)
  await createApiTokensTable(schema)
  await schema.createTable('profiles', (table) => {
    table.key()
    table.text('user_id', { length: 255 }).unique()
    table.text('name', { length: 100 })
  })
}

export async function down(schema: Schema): Promise<void> {
  for (const table of ['profiles', 'api_tokens', 'users']) await schema.dropTable(table)
  await schema.dropTable('rate_limits')
  await schema.dropTable('sessions')
}
