import type { Database } from '../../../src/data/database/surface.ts'
import { Schema } from '../../../src/data/migrations/schema.ts'

/** Creates tables as a migration does. */
export function createTables(
  database: Database,
  up: (schema: Schema) => Promise<void>,
): Promise<void> {
  return database.transaction((transaction) => up(new Schema(transaction)))
}
