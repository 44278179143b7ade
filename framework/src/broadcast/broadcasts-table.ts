import type { Schema } from '../migrations/schema.ts'

/** The default table of `SqlLog`. */
export const broadcastsTable = 'broadcasts'

/** Creates the table for `SqlLog`, in a migration. */
export async function createBroadcastsTable(
  schema: Schema,
  name: string = broadcastsTable,
): Promise<void> {
  await schema.createTable(name, (table) => {
    table.key()
    table.bigint('epoch')
    table.bigint('sequence')
    table.text('channel', { length: 128 })
    table.text('name', { length: 64 })
    table.text('data')
    table.bigint('at_ms')
    // Two processes cannot give one place to two events.
    table.unique(['epoch', 'sequence'])
  })
}
