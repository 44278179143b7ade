import type { Schema } from 'framework/database'

export async function up(schema: Schema): Promise<void> {
  await schema.createTable('events', (table) => {
    table.key('id')
    table.timestamp('at')
    table.enumeration('kind', ['view', 'order', 'error'])
    table.safeInteger('account')
    table.integer('ms')
    table.json('details')
    table.index(['at', 'id'])
    table.index(['kind', 'at'])
  })
}

export async function down(schema: Schema): Promise<void> {
  await schema.dropTable('events')
}
