import { createHmac, hash, randomInt } from 'node:crypto'
import type { KeyObject } from 'node:crypto'
import type { ObjectRow } from '../../database/sql/plan/declared-rows.ts'
import type { Surface } from '../../database/surface.ts'
import { sql } from '../../database/sql/plan/statement.ts'
import { insertedValues, upsertStatement } from '../../database/upsert-statement.ts'
import type { Schema } from '../../migrations/schema.ts'
import { credentialsVersion } from '../identity.ts'
import type { Identity } from '../identity.ts'
import { SecretRows } from '../tokens/secret-rows.ts'
import type { SecretRowsOptions } from '../tokens/secret-rows.ts'
import { isProven, newTokenText, readTokenText, checkedUser } from '../tokens/token.ts'

/** A mailed challenge that a code or link has matched. */
export interface MatchedChallenge {
  readonly user: string
  /** Digest of the address and password that the account had when the mail was made. */
  readonly account: string
  /** Digest of the code: with the browser, it names the challenge. */
  readonly code: string
}

/** What goes into the mail. */
export interface MailSecrets {
  readonly code: string
  /** `selector/secret`, for the path of a link. */
  readonly path: string
}

const maxTries = 3
const maxPerAccount = 10
const unbounded = Number.MAX_SAFE_INTEGER

/** The row that stands for every address without an account. */
const nobody: { readonly browser: string; readonly user: string; readonly expires: number } =
  Object.freeze({
    browser: '0'.repeat(64),
    user: '(nobody)',
    // Later than any time, so that it is never swept.
    expires: Number.MAX_SAFE_INTEGER,
  })

/**
 * The mailed challenges, one for each browser that has asked. Only digests are stored; that of a code is
 * keyed, since a million codes are soon tried. For addresses without an account there is one row
 * altogether: it is written to wherever a real one would be, so that both cost the same.
 */
export class MailChallenges extends SecretRows {
  readonly #key: KeyObject

  constructor(surface: Surface, key: KeyObject, options: SecretRowsOptions) {
    super(surface, 'mail_sign_ins', options)
    this.#key = key
  }

  /** Stores a new challenge of a browser, for an account or for nobody. */
  async add(browser: string, identity: Identity | null, ttl: number): Promise<MailSecrets> {
    const { name: table, surface } = this
    const now = this.now()
    const code = String(randomInt(1_000_000)).padStart(6, '0')
    const link = newTokenText()
    const user = identity === null ? nobody.user : checkedUser(identity.id)
    const row = {
      browser: identity === null ? nobody.browser : browser,
      user_id: user,
      account: accountState(identity),
      code: this.#codeDigest(browser, code),
      link: link.digest,
      tries: 0,
      expires: identity === null ? nobody.expires : now + ttl,
      created_at: now,
    }
    const changes = insertedValues(Object.keys(row).slice(1), surface.dialect)
    await this.run(upsertStatement({ table, key: ['browser'], row, changes }, surface.dialect))
    await this.#trim(user)
    await this.sweepByChance()
    return { code, path: link.value.replace('.', '/') }
  }

  /** Spends a try on a code; null if it is wrong, or if the browser has no challenge with a try left. */
  async tryCode(browser: string, code: string): Promise<MatchedChallenge | null> {
    const row = await this.#find(browser)
    const isCounted = await this.#count(row === null ? nobody.browser : browser, row !== null)
    // Not before it is counted: of many guesses at once, three are looked at.
    const stored = row !== null && isCounted ? String(row['code']) : null
    const isRight = isProven(stored, { selector: '', digest: this.#codeDigest(browser, code) })
    return row !== null && isRight ? matched(row) : null
  }

  /** Whether a link belongs to the challenge of a browser. It has 256 bits, so that no try is spent. */
  async tryLink(browser: string, token: string): Promise<MatchedChallenge | null> {
    const row = await this.#find(browser)
    const proof = readTokenText(token)
    if (proof === null) return null
    const isRight = isProven(row === null ? null : String(row['link']), proof)
    return row !== null && isRight ? matched(row) : null
  }

  /** Uses a challenge up; of concurrent calls one gets true. */
  async take(browser: string, { code }: MatchedChallenge): Promise<boolean> {
    return (await this.drop(sql`browser = ${browser} AND code = ${code}`)) === 1
  }

  async #find(browser: string): Promise<ObjectRow | null> {
    const [row = null] = await this.rows(sql`SELECT user_id, account, code, link, tries, expires
      FROM ${this.name} WHERE browser = ${browser}`)
    if (row === null || Number(row['tries']) >= maxTries) return null
    return Number(row['expires']) > this.now() ? row : null
  }

  // This statement, not the SELECT before it, decides who gets one of the three tries.
  async #count(browser: string, isReal: boolean): Promise<boolean> {
    const { affected } = await this.run(sql`UPDATE ${this.name} SET tries = tries + 1
      WHERE browser = ${browser} AND tries < ${isReal ? maxTries : unbounded} AND expires > ${this.now()}`)
    return affected === 1
  }

  // Whoever asks for mails to somebody else without end must not fill the table. After the insertion: of
  // several at once, the last to look sees them all.
  async #trim(user: string): Promise<void> {
    const [row] = await this.rows(sql`SELECT id FROM ${this.name}
      WHERE user_id = ${user} ORDER BY id DESC LIMIT 1 OFFSET ${maxPerAccount}`)
    if (row === undefined) return
    await this.drop(sql`user_id = ${user} AND id <= ${row['id']}`)
  }

  // With the browser, so that equal codes do not look equal.
  #codeDigest(browser: string, code: string): string {
    return createHmac('sha256', this.#key).update(`${browser} ${code}`).digest('hex')
  }
}

/** Digest of the address and password of an account: when one of them changes, so does this. */
export function accountState(identity: Identity | null): string {
  const state = identity === null ? '' : `${credentialsVersion(identity)} ${identity.email}`
  return hash('sha256', `account ${state}`, 'hex')
}

function matched(row: ObjectRow): MatchedChallenge {
  return {
    user: String(row['user_id']),
    account: String(row['account']),
    code: String(row['code']),
  }
}

/**
 * Creates the table for `MailSignIn`, in a migration: `await createMailSignInsTable(schema)`. Its `down` is
 * `schema.dropTable('mail_sign_ins')`.
 */
export async function createMailSignInsTable(schema: Schema): Promise<void> {
  await schema.createTable('mail_sign_ins', (table) => {
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
  await schema.run(sql`INSERT INTO mail_sign_ins
    (browser, user_id, account, code, link, tries, expires, created_at)
    VALUES (${browser}, ${user}, ${browser}, ${browser}, ${browser}, 0, ${expires}, 0)`)
}
