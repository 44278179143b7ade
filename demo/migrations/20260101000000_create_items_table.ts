import type { Schema } from 'framework/database'

export async function up(schema: Schema): Promise<void> {
  await schema.createTable('items', (table) => {
    table.key()
    table.text('name', { length: 120 })
    table.text('category', { length: 40 })
    table.decimal('price', { precision: 10, scale: 2 })
    table.integer('stock').default(0)
    table.timestamp('created_at').defaultNow()
    // One per sort order of the list, with the key last, so that a cursor is a single index lookup.
    table.index(['name', 'id'])
    table.index(['price', 'id'])
    table.index(['created_at', 'id'])
  })
}

export async function down(schema: Schema): Promise<void> {
  await schema.dropTable('items')
}
