import { hash } from 'node:crypto'
import { DatabaseError } from '../../database/database-error.ts'
import type { ObjectRow } from '../../database/sql/plan/declared-rows.ts'
import type { Surface } from '../../database/surface.ts'
import { sql } from '../../database/sql/plan/statement.ts'
import type { Schema } from '../../migrations/schema.ts'
import { SecretRows } from '../tokens/secret-rows.ts'
import type { SecretRowsOptions } from '../tokens/secret-rows.ts'
import type { CheckedAssertion, CheckedCredential } from './webauthn.ts'

/** A passkey of an account, for its owner. */
export interface Passkey {
  /** The argument of `remove`. It is not a secret. */
  readonly handle: string
  /** What its owner calls it. */
  readonly name: string
  /** Whether it can verify its user, and so sign in without a password; else it is for the second step. */
  readonly verifies: boolean
  /** Whether it is kept in several places, such as the account of a phone. */
  readonly synced: boolean
  /** Epoch seconds. */
  readonly created: number
  /** When it was last used, in epoch seconds; null if never. */
  readonly used: number | null
}

/** A stored passkey. */
export interface StoredPasskey extends Passkey {
  /** The id that the authenticator has given it, in base64url. */
  readonly credential: string
  readonly transports: readonly string[]
  /** Id of its account. */
  readonly user: string
  /** What authenticators know the account by. */
  readonly userHandle: string
  readonly publicKey: Uint8Array
  readonly counter: number
}

/** A passkey to store. */
export interface NewPasskey extends Pick<
  StoredPasskey,
  'user' | 'userHandle' | 'name' | 'transports'
> {
  readonly credential: CheckedCredential
}

const columns = sql`digest, credential, user_id, user_handle, public_key, counter, transports, verifies,
  synced, name, created_at, used`

/** The passkeys of accounts. Every method rejects with the DatabaseError of its statement. */
export class PasskeyRows extends SecretRows {
  constructor(surface: Surface, options: SecretRowsOptions = {}) {
    super(surface, 'passkeys', options)
  }

  /**
   * Adds a passkey.
   * @throws DatabaseError E_DUPLICATE_KEY if somebody has it already.
   */
  async insert({ user, userHandle, name, transports, credential }: NewPasskey): Promise<Passkey> {
    const { id, publicKey, counter, isVerified, isSynced } = credential
    const now = this.now()
    const digest = credentialDigest(id)
    await this.run(sql`INSERT INTO ${this.name} (digest, credential, user_id, user_handle,
        public_key, counter, transports, verifies, synced, name, created_at)
      VALUES (${digest}, ${id}, ${user}, ${userHandle}, ${Buffer.from(publicKey)}, ${counter},
        ${transports.join(' ')}, ${isVerified}, ${isSynced}, ${name}, ${now})`)
    const flags = { verifies: isVerified, synced: isSynced }
    return { handle: digest, name, ...flags, created: now, used: null }
  }

  /** The passkey with this id of an authenticator; null if there is none. */
  async find(credential: string): Promise<StoredPasskey | null> {
    const [row] = await this.rows(sql`SELECT ${columns} FROM ${this.name}
      WHERE digest = ${credentialDigest(credential)}`)
    return row === undefined ? null : passkeyOf(row)
  }

  /** The passkeys of an account, oldest first. */
  async list(user: string): Promise<readonly StoredPasskey[]> {
    const rows = await this.rows(sql`SELECT ${columns} FROM ${this.name}
      WHERE user_id = ${user} ORDER BY created_at, id`)
    return rows.map(passkeyOf)
  }

  /**
   * Records a use, if the counter has grown or there is none. Of concurrent uses with one counter one
   * wins; the statement decides, not what was read before.
   */
  async use(handle: string, { counter, isVerified, isSynced }: CheckedAssertion): Promise<boolean> {
    const grown = counter === 0 ? sql`counter = 0` : sql`counter < ${counter}`
    const verifies = isVerified ? sql`, verifies = ${true}` : sql``
    const { affected } = await this.run(sql`UPDATE ${this.name}
      SET counter = ${counter}, used = ${this.now()}, synced = ${isSynced}${verifies}
      WHERE digest = ${handle} AND ${grown}`)
    return affected === 1
  }

  /** Whether an account has this passkey. */
  async has(user: string, handle: string): Promise<boolean> {
    const rows = await this.rows(sql`SELECT id FROM ${this.name}
      WHERE user_id = ${user} AND digest = ${handle}`)
    return rows.length > 0
  }

  /** How many an account has. */
  async count(user: string): Promise<number> {
    const [row = {}] = await this.rows(
      sql`SELECT count(*) AS passkeys FROM ${this.name} WHERE user_id = ${user}`,
    )
    return Number(row['passkeys'])
  }

  /** Gives a passkey of an account another name; resolves with whether there is one. */
  async rename(user: string, handle: string, name: string): Promise<boolean> {
    if (!(await this.has(user, handle))) return false
    await this.run(sql`UPDATE ${this.name} SET name = ${name}
      WHERE user_id = ${user} AND digest = ${handle}`)
    return true
  }

  /** Deletes a passkey of an account; resolves with whether there was one. */
  async dropOne(user: string, handle: string): Promise<boolean> {
    return (await this.drop(sql`user_id = ${user} AND digest = ${handle}`)) === 1
  }

  /** Deletes the passkeys of an account that came at this time or later; resolves with their number. */
  dropOf(user: string, since: number = 0): Promise<number> {
    return this.drop(sql`user_id = ${user} AND created_at >= ${since}`)
  }
}

/** An id may be longer than what can be indexed, and comes from the browser as the user's. */
export function credentialDigest(credential: string): string {
  return hash('sha256', `passkey ${credential}`, 'hex')
}

function passkeyOf(row: ObjectRow): StoredPasskey {
  const { public_key: publicKey, transports, used } = row
  if (!(publicKey instanceof Uint8Array)) {
    throw new DatabaseError('E_VALUE', 'the column "public_key" of passkeys must hold bytes')
  }
  return {
    handle: String(row['digest']),
    credential: String(row['credential']),
    user: String(row['user_id']),
    userHandle: String(row['user_handle']),
    publicKey,
    counter: Number(row['counter']),
    transports: String(transports) === '' ? [] : String(transports).split(' '),
    verifies: Number(row['verifies']) === 1,
    synced: Number(row['synced']) === 1,
    name: String(row['name']),
    created: Number(row['created_at']),
    used: used === null ? null : Number(used),
  }
}

/**
 * Creates the tables for `Passkeys`, in a migration: `await createPasskeyTables(schema)`. Its `down` drops
 * `passkey_challenges` and `passkeys`.
 */
export async function createPasskeyTables(schema: Schema): Promise<void> {
  await schema.createTable('passkeys', (table) => {
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
  await schema.createTable('passkey_challenges', (table) => {
    table.key()
    table.char('digest', 64).unique()
    table.bigint('expires')
    table.index(['expires'])
  })
}
