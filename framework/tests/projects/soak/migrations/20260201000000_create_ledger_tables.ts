import type { Schema } from 'framework/database'

// Nothing is unique: what is done twice has to be seen.
export async function up(schema: Schema): Promise<void> {
  await schema.createTable('deposits', (table) => {
    table.key('id')
    table.text('op', { length: 40 })
    table.integer('user_id')
  })
  await schema.createTable('receipts', (table) => {
    table.key('id')
    table.text('op', { length: 40 })
    table.text('job', { length: 64 })
    table.text('at_ms', { length: 20 })
  })
  await schema.createTable('ticks', (table) => {
    table.key('id')
    table.text('due', { length: 30 })
  })
}

export async function down(schema: Schema): Promise<void> {
  for (const table of ['ticks', 'receipts', 'deposits']) await schema.dropTable(table)
}
