import type { Schema } from '../../migrations/schema.ts'

/**
 * Creates the table for `OpenIdIdentities`, in a migration: `await createOpenIdIdentitiesTable(schema)`. Its
 * `down` is `schema.dropTable('openid_identities')`.
 */
export async function createOpenIdIdentitiesTable(
  schema: Schema,
  name: string = 'openid_identities',
): Promise<void> {
  await schema.createTable(name, (table) => {
    table.key()
    // Text without a foreign key: the project decides which table and column hold the accounts.
    table.text('user_id', { length: 255 })
    table.text('issuer', { length: 255 })
    table.text('subject', { length: 255 })
    table.bigint('created_at')
    // Who somebody is at an issuer leads to one account; a check before the insert can be outrun.
    table.unique(['issuer', 'subject'])
    // An issuer that gives an old e-mail to somebody new must not lead them to the account of the former owner.
    table.unique(['user_id', 'issuer'])
  })
}
