import type { Schema } from '../migrations/schema.ts'

/**
 * Makes the table of `SqlCache`, in a migration: `await createCacheTable(schema)`. Its `down` is
 * `schema.dropTable('cache')`.
 */
export async function createCacheTable(schema: Schema, name: string = 'cache'): Promise<void> {
  await schema.createTable(name, (table) => {
    table.text('name', { length: 255 })
    table.primary(['name'])
    table.text('body').nullable()
    // Whole numbers have their own column, so that the database can add to them.
    table.bigint('counter').nullable()
    table.bigint('expires_ms')
    table.index(['expires_ms'])
  })
}
