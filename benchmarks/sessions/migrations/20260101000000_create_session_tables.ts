import type { Schema } from '../../../framework/dist/public/database.js'
import { createRateLimitsTable } from '../../../framework/dist/public/middlewares.js'
import { createSessionsTable } from '../../../framework/dist/public/sessions.js'

export async function up(schema: Schema): Promise<void> {
  await createSessionsTable(schema)
  await createRateLimitsTable(schema)
}

export async function down(schema: Schema): Promise<void> {
  await schema.dropTable('rate_limits')
  await schema.dropTable('sessions')
}
