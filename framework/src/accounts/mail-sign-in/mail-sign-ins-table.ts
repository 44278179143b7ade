import type { Schema } from '../../migrations/schema.ts'
import { sql } from '../../database/sql/plan/statement.ts'

/** The row that stands for every address without an account. */
export const nobody: { readonly browser: string; readonly user: string; readonly expires: number } =
  Object.freeze({
    browser: '0'.repeat(64),
    user: '(nobody)',
    // Later than any time, so that it is never swept.
    expires: Number.MAX_SAFE_INTEGER,
  })

/**
 * Creates the table for `MailSignIn`, in a migration: `await createMailSignInsTable(schema)`. Its `down` is
 * `schema.dropTable('mail_sign_ins')`.
 */
export async function createMailSignInsTable(
  schema: Schema,
  name: string = 'mail_sign_ins',
): Promise<void> {
  await schema.createTable(name, (table) => {
    table.key()
    // Digest of what the session of the asking browser holds: a browser has one challenge.
    table.char('browser', 64).unique()
    // Text without a foreign key: the project decides which table and column hold the accounts.
    table.text('user_id', { length: 255 })
    // Digest of address and password: once one of them changes, the mail is worth nothing.
    table.char('account', 64)
    table.char('code', 64)
    table.char('link', 64)
    table.bigint('tries')
    table.bigint('expires')
    table.bigint('created_at')
    table.index(['user_id', 'id'])
    table.index(['expires'])
  })
  const { browser, user, expires } = nobody
  await schema.run(sql`INSERT INTO ${sql.name(name)}
    (browser, user_id, account, code, link, tries, expires, created_at)
    VALUES (${browser}, ${user}, ${browser}, ${browser}, ${browser}, 0, ${expires}, 0)`)
}
