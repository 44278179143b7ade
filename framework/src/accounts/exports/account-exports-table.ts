import type { Schema } from '../../migrations/schema.ts'

/**
 * Creates the table for `AccountExports`, in a migration: `await createAccountExportsTable(schema)`. Its
 * `down` is `schema.dropTable('account_exports')`.
 */
export async function createAccountExportsTable(
  schema: Schema,
  name: string = 'account_exports',
): Promise<void> {
  await schema.createTable(name, (table) => {
    table.key()
    // One per account, so that nobody can fill the disk. Text without a foreign key: the project decides
    // which table and column hold the accounts.
    table.text('user_id', { length: 255 }).unique()
    // The name of the file.
    table.char('handle', 32).unique()
    table.text('state', { length: 8 })
    table.bigint('size')
    table.bigint('expires')
    table.bigint('created_at')
    table.index(['expires'])
  })
}
