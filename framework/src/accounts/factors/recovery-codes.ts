import { hash, randomBytes } from 'node:crypto'
import type { Surface } from '../../database/surface.ts'
import { sql } from '../../database/sql/plan/statement.ts'
import { toBase32 } from '../../base/encoding/base32.ts'
import { SecretRows } from '../tokens/secret-rows.ts'
import type { SecretRowsOptions } from '../tokens/secret-rows.ts'
import { checkedUser } from '../tokens/token.ts'

/** How many codes an account gets. */
const codesPerAccount = 10

/** 80 bits: too many to find a code from its digest by trying. */
const codeBytes = 10

const pattern = /^[a-z2-7]{16}$/

/** The recovery codes of accounts. Only digests are stored. */
export class RecoveryCodes extends SecretRows {
  constructor(surface: Surface, options: SecretRowsOptions = {}) {
    super(surface, 'recovery_codes', options)
  }

  /** Creates ten codes instead of the earlier ones. Call it in a transaction. */
  async replace(user: string): Promise<readonly string[]> {
    await this.dropOf(checkedUser(user))
    const now = this.now()
    const codes = Array.from({ length: codesPerAccount }, newRecoveryCode)
    for (const code of codes) {
      const digest = recoveryDigest(user, readRecoveryCode(code) ?? '')
      await this.run(sql`INSERT INTO ${this.name} (user_id, digest, created_at)
        VALUES (${user}, ${digest}, ${now})`)
    }
    return codes
  }

  /** Accepts a code, as `readRecoveryCode` returns it, once. */
  spend(user: string, digits: string): Promise<boolean> {
    const digest = recoveryDigest(user, digits)
    return this.failClosed(false, async () => {
      const spent = await this.drop(sql`user_id = ${user} AND digest = ${digest}`)
      return spent === 1
    })
  }

  /** How many codes of an account are left. */
  async count(user: string): Promise<number> {
    const [row = {}] = await this.rows(
      sql`SELECT count(*) AS codes FROM ${this.name} WHERE user_id = ${user}`,
    )
    return Number(row['codes'])
  }

  /** Deletes the codes of an account that came at this time or later; resolves with their number. */
  dropOf(user: string, since: number = 0): Promise<number> {
    return this.drop(sql`user_id = ${user} AND created_at >= ${since}`)
  }
}

/** A new recovery code, such as `mzxw-6ytb-oi2g-k5dt`. */
export function newRecoveryCode(): string {
  const digits = toBase32(randomBytes(codeBytes)).toLowerCase()
  return digits.replace(/.{4}(?=.)/g, '$&-')
}

/**
 * A typed recovery code without spaces and dashes; null if it is not one. Digits that the codes do not
 * have are taken for the letters they look like.
 */
export function readRecoveryCode(text: string): string | null {
  const digits = text
    .toLowerCase()
    .replace(/[\s-]/g, '')
    .replaceAll('0', 'o')
    .replaceAll('1', 'l')
    .replaceAll('8', 'b')
  return pattern.test(digits) ? digits : null
}

/** What is stored of a code. The account is part of it, so equal codes have different digests. */
export function recoveryDigest(user: string, digits: string): string {
  return hash('sha256', JSON.stringify(['recovery code', user, digits]), 'hex')
}
