import type { Schema } from 'framework/database'
import { createErrorTables, dropErrorTables } from 'framework/errors'

export async function up(schema: Schema): Promise<void> {
  await createErrorTables(schema)
}

export async function down(schema: Schema): Promise<void> {
  await dropErrorTables(schema)
}
