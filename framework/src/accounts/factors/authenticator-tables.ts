import type { Schema } from '../../migrations/schema.ts'

/** Names of the tables of `AuthenticatorApp`. */
export interface AuthenticatorTables {
  /** @default 'totp_secrets' */
  readonly secrets?: string
  /** @default 'recovery_codes' */
  readonly codes?: string
}

/**
 * Creates the tables for `AuthenticatorApp`, in a migration: `await createAuthenticatorTables(schema)`. Its `down`
 * drops `recovery_codes` and `totp_secrets`.
 */
export async function createAuthenticatorTables(
  schema: Schema,
  { secrets = 'totp_secrets', codes = 'recovery_codes' }: AuthenticatorTables = {},
): Promise<void> {
  await schema.createTable(secrets, (table) => {
    table.key()
    // Text without a foreign key: the project decides which table and column hold the accounts.
    table.text('user_id', { length: 255 })
    // A secret that waits for its first code can replace one that is on.
    table.text('state', { length: 8 })
    table.bytes('secret', { length: 255 })
    // The time step of the last accepted code: that code and earlier ones are refused.
    table.bigint('step')
    // NULL for a secret that is on, which does not expire.
    table.bigint('expires').nullable()
    table.bigint('created_at')
    table.unique(['user_id', 'state'])
    table.index(['expires'])
  })
  await schema.createTable(codes, (table) => {
    table.key()
    table.text('user_id', { length: 255 })
    table.char('digest', 64)
    table.bigint('created_at')
    table.unique(['user_id', 'digest'])
  })
}
