import type { Schema } from '../../migrations/schema.ts'

/**
 * Creates the table for `AccountUndo`, in a migration: `await createAccountUndosTable(schema)`. Its `down` is
 * `schema.dropTable('account_undos')`.
 */
export async function createAccountUndosTable(
  schema: Schema,
  name: string = 'account_undos',
): Promise<void> {
  await schema.createTable(name, (table) => {
    table.key()
    table.char('selector', 16).unique()
    table.char('verifier', 64)
    // Text without a foreign key: the project decides which table and column hold the accounts.
    table.text('user_id', { length: 255 })
    // What was added, and which one.
    table.text('kind', { length: 32 })
    table.text('subject', { length: 64 })
    table.bigint('expires')
    table.bigint('created_at')
    table.index(['user_id'])
    table.index(['expires'])
  })
}
