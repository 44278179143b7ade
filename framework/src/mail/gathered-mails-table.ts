import type { Schema } from '../migrations/schema.ts'

/**
 * Creates the table for `GatheredMails`, in a migration: `await createGatheredMailsTable(schema)`. Its
 * `down` is `schema.dropTable('gathered_mails')`.
 */
export async function createGatheredMailsTable(
  schema: Schema,
  name: string = 'gathered_mails',
): Promise<void> {
  await schema.createTable(name, (table) => {
    table.key()
    // Keyed digest of the address.
    table.char('recipient', 64)
    // Encrypted, since mails contain links.
    table.bytes('content')
    // While somebody sends it, the time at which another one may.
    table.bigint('due')
    table.text('lease', { length: 36 }).nullable()
    table.bigint('created_at')
    table.index(['recipient', 'id'])
  })
}
