import { parseArgon2 } from './argon2-hash.ts'
import type { Argon2Hash } from './argon2-hash.ts'
import { parseBcrypt } from './bcrypt-hash.ts'
import type { BcryptHash } from './bcrypt-hash.ts'
import { parseScrypt } from './scrypt-hash.ts'
import type { ScryptHash } from './scrypt-hash.ts'

/** A stored hash of one of the kinds that can be verified. */
export type PasswordHash = Argon2Hash | ScryptHash | BcryptHash

/** Reads a stored hash; null for anything else, and for one that would cost too much to verify. */
export function parsePasswordHash(text: string): PasswordHash | null {
  return parseArgon2(text) ?? parseScrypt(text) ?? parseBcrypt(text)
}
