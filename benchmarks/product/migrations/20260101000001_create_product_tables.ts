import {
  createApiTokensTable,
  createTrustsTable,
  createUsersTable,
} from '../../../framework/dist/public/auth.js'
import type { Schema } from '../../../framework/dist/public/database.js'
import { createSessionsTable } from '../../../framework/dist/public/sessions.js'

/** The tables of the product beside its items; those of sessions and tokens are ours and the peers'. */
export async function up(schema: Schema): Promise<void> {
  await createUsersTable(schema)
  await schema.addColumn('users', (columns) => columns.text('name', { length: 100 }).nullable())
  await schema.createTable('notes', (table) => {
    table.key()
    table.integer('user_id')
    table.text('title', { length: 100 })
    table.text('text', { length: 2000 })
    table.integer('priority')
    table.timestamp('created_at').defaultNow()
  })
  await createSessionsTable(schema)
  await createApiTokensTable(schema)
  await createTrustsTable(schema)
  await schema.createTable('peer_tokens', (table) => {
    table.key()
    table.integer('user_id')
    table.text('digest', { length: 64 }).unique()
    table.bigint('expires')
  })
  await schema.createTable('peer_sessions', (table) => {
    table.key()
    table.text('sid', { length: 128 }).unique()
    table.text('sess', { length: 4000 })
    table.bigint('expire')
  })
}

export async function down(schema: Schema): Promise<void> {
  const tables = ['peer_sessions', 'peer_tokens', 'trusts', 'api_tokens', 'sessions', 'notes']
  for (const table of [...tables, 'users']) await schema.dropTable(table)
}
