import type { Schema } from '../../migrations/schema.ts'

/**
 * Creates the table for `Tokens`, in a migration: `await createTokensTable(schema)`. Its `down` is
 * `schema.dropTable('tokens')`.
 */
export async function createTokensTable(schema: Schema, name: string = 'tokens'): Promise<void> {
  await schema.createTable(name, (table) => {
    table.key()
    table.char('selector', 16).unique()
    table.char('verifier', 64)
    // Text without a foreign key: the project decides which table and column hold the accounts.
    table.text('user_id', { length: 255 })
    table.text('purpose', { length: 20 })
    table.bigint('expires')
    table.bigint('created_at')
    // One live token per user and purpose: minting replaces the old one in one statement.
    table.unique(['user_id', 'purpose'])
    table.index(['expires'])
  })
}
