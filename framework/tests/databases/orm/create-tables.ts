import type { Database } from '../../../src/database/surface.ts'
import { Schema } from '../../../src/migrations/schema.ts'

/** Creates tables as a migration does. */
export function createTables(
  database: Database,
  up: (schema: Schema) => Promise<void>,
): Promise<void> {
  return database.transaction((transaction) => up(new Schema(transaction)))
}
