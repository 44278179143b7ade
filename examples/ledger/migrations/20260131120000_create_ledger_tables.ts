import type { Schema } from 'framework/database'

export async function up(schema: Schema): Promise<void> {
  await schema.createTable('accounts', (table) => {
    table.text('name', { length: 40 })
    table.decimal('balance', { precision: 12, scale: 2 })
    table.primary(['name'])
  })
  await schema.createTable('transfers', (table) => {
    table.uuid('id')
    table.text('memo', { length: 200 })
    table.timestamp('made_at')
    table.primary(['id'])
  })
  await schema.createTable('entries', (table) => {
    table.uuid('transfer_id').references('transfers')
    table.integer('line')
    table.text('account', { length: 40 }).references('accounts', { column: 'name' })
    table.decimal('amount', { precision: 12, scale: 2 })
    table.primary(['transfer_id', 'line'])
    table.index(['account'])
  })
}

export async function down(schema: Schema): Promise<void> {
  for (const table of ['entries', 'transfers', 'accounts']) await schema.dropTable(table)
}
