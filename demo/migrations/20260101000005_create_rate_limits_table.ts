import type { Schema } from 'framework/database'
import { createRateLimitsTable } from 'framework/middlewares'

export async function up(schema: Schema): Promise<void> {
  await createRateLimitsTable(schema)
}

export async function down(schema: Schema): Promise<void> {
  await schema.dropTable('rate_limits')
}
