import type { Schema } from '../../migrations/schema.ts'

/**
 * Creates the table of `SqlSessions` in a migration: `await createSessionsTable(schema)`. The matching
 * `down` is `schema.dropTable('sessions')`.
 */
export async function createSessionsTable(
  schema: Schema,
  name: string = 'sessions',
): Promise<void> {
  await schema.createTable(name, (table) => {
    // The digest is not the primary key: under READ COMMITTED, a query by another column (such as the
    // one that ends all sessions of an account) can miss a row whose primary key is changing.
    table.key()
    table.char('digest', 64).unique()
    table.text('data')
    table.integer('revision')
    table.text('identity', { length: 255 }).nullable()
    table.text('device', { length: 64 }).nullable()
    table.text('agent', { length: 255 })
    table.text('peer', { length: 64 })
    table.bigint('created_at')
    table.bigint('used')
    table.bigint('expires')
    table.index(['identity'])
    table.index(['expires'])
  })
}
