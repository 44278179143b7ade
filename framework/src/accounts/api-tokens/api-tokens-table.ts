import type { Schema } from '../../migrations/schema.ts'

/**
 * Creates the table for `ApiTokens`, in a migration: `await createApiTokensTable(schema)`. Its `down` is
 * `schema.dropTable('api_tokens')`.
 */
export async function createApiTokensTable(
  schema: Schema,
  name: string = 'api_tokens',
): Promise<void> {
  await schema.createTable(name, (table) => {
    table.key()
    table.char('selector', 16).unique()
    table.char('verifier', 64)
    // Text without a foreign key: the project decides which table and column hold the accounts.
    table.text('user_id', { length: 255 })
    table.text('name', { length: 100 })
    // Separated by spaces.
    table.text('scopes', { length: 1000 })
    table.bigint('expires')
    table.bigint('created_at')
    table.bigint('used').nullable()
    table.index(['user_id'])
    table.index(['expires'])
  })
}
