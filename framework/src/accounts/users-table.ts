import type { Schema } from '../migrations/schema.ts'

/**
 * Creates the table for `Users`, in a migration: `await createUsersTable(schema)`. Its `down` is
 * `schema.dropTable('users')`.
 */
export async function createUsersTable(schema: Schema, name: string = 'users'): Promise<void> {
  await schema.createTable(name, (table) => {
    table.key()
    // The only safe guard against duplicate accounts: a check before the insert can be outrun.
    table.text('email', { length: 254 }).unique()
    // NULL for an account without a password, which cannot sign in with one.
    table.text('password', { length: 255 }).nullable()
    table.bigint('email_verified_at').nullable()
    // Has a default, so that Users also works with tables that lack it.
    table.timestamp('created_at').defaultNow()
  })
}
