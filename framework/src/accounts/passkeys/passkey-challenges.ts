import { createHmac, hash, randomBytes, timingSafeEqual } from 'node:crypto'
import type { KeyObject } from 'node:crypto'
import type { Surface } from '../../database/surface.ts'
import { sql } from '../../database/sql/plan/statement.ts'
import { SecretRows } from '../tokens/secret-rows.ts'
import type { SecretRowsOptions } from '../tokens/secret-rows.ts'

/** What a challenge is for. One that was made for something else is refused. */
export type ChallengePurpose = 'register' | 'enter' | 'sign-in' | 'confirm'

/** Whether the user has to be verified: where it replaces the password. After it, having it is enough. */
export function verifiesUser(purpose: ChallengePurpose): boolean {
  return purpose !== 'sign-in'
}

/** Seconds for which a challenge can be used. */
export const challengeTtl = 300

const nonceLength = 16
const timeLength = 6
const headLength = nonceLength + timeLength
/** Head and digest in base64url. */
const form = /^[\w-]{72}$/

/**
 * The challenges that authenticators sign: a random number and a time, authenticated with the application
 * key together with what they are for and whom they were given to. So none has to be stored for a visitor
 * who never signs one; a row is added when one is used, which only one of several can do.
 */
export class PasskeyChallenges extends SecretRows {
  readonly #key: KeyObject

  /** The binding of a challenge is the session, or the pending sign-in, that it was made for. */
  constructor(surface: Surface, key: KeyObject, options: SecretRowsOptions = {}) {
    super(surface, 'passkey_challenges', options)
    this.#key = key
  }

  /** A new challenge, in base64url. */
  issue(purpose: ChallengePurpose, binding: string): string {
    const head = Buffer.alloc(headLength)
    randomBytes(nonceLength).copy(head)
    head.writeUIntBE(this.now() + challengeTtl, nonceLength, timeLength)
    return Buffer.concat([head, this.#mac(head, purpose, binding)]).toString('base64url')
  }

  /** Whether it was made here for this purpose and binding, and its time is not over. */
  isValid(challenge: string, purpose: ChallengePurpose, binding: string): boolean {
    if (!form.test(challenge) || binding === '') return false
    const bytes = Buffer.from(challenge, 'base64url')
    const head = bytes.subarray(0, headLength)
    const isOurs = timingSafeEqual(bytes.subarray(headLength), this.#mac(head, purpose, binding))
    return isOurs && expiryIn(head) > this.now()
  }

  /**
   * Uses a valid challenge up. Call it in the transaction of what it proves.
   * @throws DatabaseError E_DUPLICATE_KEY if it was used before.
   */
  async spend(challenge: string): Promise<void> {
    const expires = expiryIn(Buffer.from(challenge, 'base64url'))
    const digest = hash('sha256', `passkey challenge ${challenge}`, 'hex')
    await this.run(sql`INSERT INTO ${this.name} (digest, expires)
      VALUES (${digest}, ${expires})`)
  }

  #mac(head: Buffer, purpose: ChallengePurpose, binding: string): Buffer {
    const context = JSON.stringify([purpose, binding])
    return createHmac('sha256', this.#key).update(head).update(context).digest()
  }
}

function expiryIn(bytes: Buffer): number {
  return bytes.readUIntBE(nonceLength, timeLength)
}
