import type { Schema } from '../../migrations/schema.ts'

/**
 * Creates the table for `AccountDeletion`, in a migration: `await createAccountDeletionsTable(schema)`. Its
 * `down` is `schema.dropTable('account_deletions')`.
 */
export async function createAccountDeletionsTable(
  schema: Schema,
  name: string = 'account_deletions',
): Promise<void> {
  await schema.createTable(name, (table) => {
    table.key()
    // Text without a foreign key: the project decides which table and column hold the accounts.
    table.text('user_id', { length: 255 }).unique()
    table.char('selector', 16).unique()
    table.char('verifier', 64)
    // When the account goes. Until then the link that keeps it works.
    table.bigint('due')
    table.bigint('created_at')
    table.index(['due'])
  })
}
