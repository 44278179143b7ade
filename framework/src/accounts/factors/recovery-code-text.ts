import { hash, randomBytes } from 'node:crypto'
import { toBase32 } from '../../base/encoding/base32.ts'

/** 80 bits: too many to find a code from its digest by trying. */
const codeBytes = 10

const pattern = /^[a-z2-7]{16}$/

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
