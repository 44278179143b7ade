import type { Schema } from '../../migrations/schema.ts'

/**
 * Creates the table for `AccountActivity`, in a migration: `await createActivityTable(schema)`. Its
 * `down` is `schema.dropTable('account_activity')`.
 */
export async function createActivityTable(
  schema: Schema,
  name: string = 'account_activity',
): Promise<void> {
  await schema.createTable(name, (table) => {
    table.key()
    // Text without a foreign key: the project decides which table and column hold the accounts.
    table.text('user_id', { length: 255 })
    table.text('event', { length: 32 })
    table.text('method', { length: 64 }).nullable()
    table.text('agent', { length: 255 })
    // Digest of the kind of browser, which stays the same when the browser is updated.
    table.char('device', 32)
    table.text('network', { length: 64 })
    table.text('request', { length: 128 }).nullable()
    table.text('actor', { length: 255 })
    table.bigint('at')
    table.index(['user_id', 'id'])
    table.index(['at'])
  })
}
