import type { Schema } from '../../../data/migrations/schema.ts'

/**
 * Makes the table of `Users`, in a migration: `await createUsersTable(schema)`. Its `down` is
 * `schema.dropTable('users')`.
 */
export async function createUsersTable(schema: Schema, name: string = 'users'): Promise<void> {
  await schema.createTable(name, (table) => {
    table.key()
    // The only gate against a second account of one e-mail: what is asked before can be outrun.
    table.text('email', { length: 254 }).unique()
    // NULL is an account without a password, which nobody can sign in to with one.
    table.text('password', { length: 255 }).nullable()
    table.bigint('email_verified_at').nullable()
    // By default, so that a table without it serves as well.
    table.timestamp('created_at').defaultNow()
  })
}
