import { randomBytes } from 'node:crypto'
import type { Encrypter } from '../../base/crypto/encrypter.ts'
import { DatabaseError } from '../../database/database-error.ts'
import type { ObjectRow } from '../../database/sql/plan/declared-rows.ts'
import type { Surface } from '../../database/surface.ts'
import { sql } from '../../database/sql/plan/statement.ts'
import type { Statement } from '../../database/sql/plan/statement.ts'
import { insertedValues, upsertStatement } from '../../database/upsert-statement.ts'
import { SecretRows } from '../tokens/secret-rows.ts'
import type { SecretRowsOptions } from '../tokens/secret-rows.ts'
import { checkedUser } from '../tokens/token.ts'
import { matchingStep } from './one-time-code.ts'

/** As long as the digests of HMAC-SHA-1, which RFC 4226 recommends. */
const secretLength = 20

/** Seconds for which a new secret waits for its first code. */
const pendingTtl = 3600

/**
 * The secrets of authenticator apps, encrypted, each only for its own account. An account has at most one
 * that is on, and one that waits for its first code.
 */
export class TotpSecrets extends SecretRows {
  readonly #encrypter: Encrypter

  constructor(surface: Surface, encrypter: Encrypter, options: SecretRowsOptions = {}) {
    super(surface, 'totp_secrets', options)
    this.#encrypter = encrypter
  }

  /** Creates a secret that waits for its first code, instead of an earlier one. */
  async add(user: string): Promise<Buffer> {
    const { name: table, surface } = this
    const now = this.now()
    const secret = randomBytes(secretLength)
    const row = {
      user_id: checkedUser(user),
      state: 'pending',
      secret: this.#encrypter.encrypt(secret, contextOf(user)),
      step: 0,
      expires: now + pendingTtl,
      created_at: now,
    }
    const changes = insertedValues(['secret', 'step', 'expires', 'created_at'], surface.dialect)
    const key = ['user_id', 'state']
    await this.run(upsertStatement({ table, key, row, changes }, surface.dialect))
    return secret
  }

  /** The secret that waits for its first code; null if there is none. */
  async pending(user: string): Promise<Buffer | null> {
    const row = await this.#find(user, 'pending')
    return row === null ? null : this.#decrypt(user, row)
  }

  /**
   * Turns the waiting secret on if this is its code, instead of an earlier one, and resolves with the time;
   * null otherwise. Of concurrent calls one wins. Call it in a transaction.
   */
  async confirm(user: string, code: string): Promise<number | null> {
    const now = this.now()
    const row = await this.#find(user, 'pending')
    const step = row === null ? null : this.#stepOf(user, row, code)
    if (row === null || step === null) return null
    const { id, secret } = row
    const claimed = await this.run(sql`UPDATE ${this.name} SET expires = 0
      WHERE id = ${id} AND state = 'pending' AND secret = ${secret} AND expires > ${now}`)
    if (claimed.affected === 0) return null
    await this.drop(sql`user_id = ${user} AND state = 'on'`)
    await this.run(sql`UPDATE ${this.name}
      SET state = 'on', step = ${step}, expires = NULL, created_at = ${now} WHERE id = ${id}`)
    return now
  }

  /** Accepts a code once: this code and all earlier ones are refused from then on. */
  spend(user: string, code: string): Promise<boolean> {
    return this.failClosed(false, async () => {
      const row = await this.#find(user, 'on')
      const step = row === null ? null : this.#stepOf(user, row, code)
      if (row === null || step === null) return false
      // This statement, not the SELECT before it, decides which of concurrent calls wins.
      const { affected } = await this.run(sql`UPDATE ${this.name} SET step = ${step}
        WHERE id = ${row['id']} AND state = 'on' AND secret = ${row['secret']} AND step < ${step}`)
      return affected === 1
    })
  }

  /**
   * When the secret of an account was turned on, in epoch seconds; null if none is on. In a transaction
   * it stays on until that ends.
   */
  async since(user: string): Promise<number | null> {
    const row = await this.#find(user, 'on')
    return row === null ? null : Number(row['created_at'])
  }

  /** Deletes the secrets of an account, all or those of a condition; resolves with whether one was on. */
  async dropOf(user: string, isMeant: Statement = sql`user_id = ${user}`): Promise<boolean> {
    const dropped = await this.drop(sql`user_id = ${user} AND state = 'on' AND ${isMeant}`)
    await this.drop(sql`user_id = ${user} AND ${isMeant}`)
    return dropped === 1
  }

  async #find(user: string, state: 'pending' | 'on'): Promise<ObjectRow | null> {
    const [row = null] = await this.rows(sql`SELECT id, secret, step, expires, created_at
      FROM ${this.name} WHERE user_id = ${user} AND state = ${state}${this.lock}`)
    // NULL for a secret that is on.
    const expires = row?.['expires'] ?? null
    return expires !== null && Number(expires) <= this.now() ? null : row
  }

  #stepOf(user: string, row: ObjectRow, code: string): number | null {
    const last = Number(row['step'])
    return matchingStep(this.#decrypt(user, row), code, { now: this.now(), last })
  }

  #decrypt(user: string, { secret }: ObjectRow): Buffer {
    if (secret instanceof Uint8Array) return this.#encrypter.decrypt(secret, contextOf(user))
    throw new DatabaseError('E_VALUE', 'the column "secret" of totp_secrets must hold bytes')
  }
}

/** Binds a secret to its account: copied to the row of another one it cannot be read. */
function contextOf(user: string): string {
  return `totp secret of ${user}`
}
