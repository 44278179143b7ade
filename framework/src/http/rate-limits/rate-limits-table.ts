import type { Schema } from '../../migrations/schema.ts'

/**
 * Creates the table of `SqlRateLimits` in a migration: `await createRateLimitsTable(schema)`. The
 * matching `down` is `schema.dropTable('rate_limits')`.
 */
export async function createRateLimitsTable(
  schema: Schema,
  name: string = 'rate_limits',
): Promise<void> {
  await schema.createTable(name, (table) => {
    table.char('digest', 64)
    table.integer('hits')
    table.integer('earlier')
    // Epoch seconds with fractions: a window starts at its first hit, not at a full second.
    table.float('ends')
    // Whether the last hit was allowed; the statement that counts it returns this.
    table.integer('allowed')
    // No other index: it would have to be updated with every hit.
    table.primary(['digest'])
  })
}
