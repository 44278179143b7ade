import type { Schema } from '../../migrations/schema.ts'

/** Names of the tables of `Passkeys`. */
export interface PasskeyTables {
  /** @default 'passkeys' */
  readonly passkeys?: string
  /** @default 'passkey_challenges' */
  readonly challenges?: string
}

/**
 * Creates the tables for `Passkeys`, in a migration: `await createPasskeyTables(schema)`. Its `down` drops
 * `passkey_challenges` and `passkeys`.
 */
export async function createPasskeyTables(
  schema: Schema,
  { passkeys = 'passkeys', challenges = 'passkey_challenges' }: PasskeyTables = {},
): Promise<void> {
  await schema.createTable(passkeys, (table) => {
    table.key()
    // An id may be longer than what every database can index.
    table.char('digest', 64).unique()
    table.text('credential', { length: 1364 })
    // Text without a foreign key: the project decides which table and column hold the accounts.
    table.text('user_id', { length: 255 })
    table.char('user_handle', 43)
    table.bytes('public_key', { length: 1024 })
    table.bigint('counter')
    // Separated by spaces.
    table.text('transports', { length: 100 })
    table.boolean('verifies')
    table.boolean('synced')
    table.text('name', { length: 100 })
    table.bigint('created_at')
    table.bigint('used').nullable()
    table.index(['user_id'])
  })
  // Those that were used, until they expire: an unused one leaves no row.
  await schema.createTable(challenges, (table) => {
    table.key()
    table.char('digest', 64).unique()
    table.bigint('expires')
    table.index(['expires'])
  })
}
