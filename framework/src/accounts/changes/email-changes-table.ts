import type { Schema } from '../../migrations/schema.ts'

/**
 * Creates the table for `EmailChange`, in a migration: `await createEmailChangesTable(schema)`. Its
 * `down` is `schema.dropTable('email_changes')`.
 */
export async function createEmailChangesTable(
  schema: Schema,
  name: string = 'email_changes',
): Promise<void> {
  await schema.createTable(name, (table) => {
    table.key()
    table.char('selector', 16).unique()
    table.char('verifier', 64)
    // Text without a foreign key: the project decides which table and column hold the accounts.
    table.text('user_id', { length: 255 })
    // A change that waits for its click, or one that can be undone.
    table.text('kind', { length: 8 })
    // The new address of a change that waits, the former one of a change that can be undone.
    table.text('email', { length: 254 })
    // Digest of what the session has that asked, and the password it was asked with; NULL for an undo.
    table.char('binding', 64).nullable()
    table.char('version', 32).nullable()
    table.bigint('expires')
    table.bigint('created_at')
    table.index(['user_id'])
    table.index(['email'])
    table.index(['expires'])
  })
}
