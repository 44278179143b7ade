import type { Schema } from '../../data/migrations/schema.ts'

/**
 * Makes the table of `SqlSessions`, in a migration: `await createSessionsTable(schema)`. Its `down`
 * is `schema.dropTable('sessions')`.
 */
export async function createSessionsTable(
  schema: Schema,
  name: string = 'sessions',
): Promise<void> {
  await schema.createTable(name, (table) => {
    // Not the digest: under READ COMMITTED a row whose primary key changes may escape who looks for it
    // by another column just then, as the end of all sessions of somebody does.
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
