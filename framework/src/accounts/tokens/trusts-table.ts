import type { Schema } from '../../migrations/schema.ts'

/**
 * Creates the table for `Trust`, in a migration: `await createTrustsTable(schema)`. Its `down` is
 * `schema.dropTable('trusts')`.
 */
export async function createTrustsTable(schema: Schema, name: string = 'trusts'): Promise<void> {
  await schema.createTable(name, (table) => {
    table.key()
    table.char('selector', 16).unique()
    table.char('verifier', 64)
    // The previous digest and when it was replaced, for the grace period.
    table.char('previous', 64).nullable()
    table.bigint('rotated').nullable()
    // Text without a foreign key: the project decides which table and column hold the accounts.
    table.text('user_id', { length: 255 })
    table.bigint('expires')
    table.bigint('created_at')
    table.text('agent', { length: 255 })
    table.text('peer', { length: 64 })
    table.bigint('used')
    table.index(['user_id'])
    table.index(['expires'])
  })
}
