import { randomBytes } from 'node:crypto'
import { InvalidArgumentException } from '../../../base/errors.ts'
import { deriveArgon2, formatArgon2, matchesArgon2, parseArgon2 } from './argon2-hash.ts'
import type { Argon2Cost, Argon2Derive, Argon2Hash } from './argon2-hash.ts'
import { parseBcrypt } from './bcrypt-hash.ts'
import type { BcryptHash } from './bcrypt-hash.ts'
import { BcryptThread } from './bcrypt-thread.ts'
import { HashingLine } from './hashing-line.ts'
import { completeOptions } from './password-options.ts'
import type { PasswordOptions } from './password-options.ts'
import { maxPasswordLength, passwordBytes } from './password-text.ts'
import { matchesScrypt, parseScrypt } from './scrypt-hash.ts'
import type { ScryptHash } from './scrypt-hash.ts'

/** What became of a password that was held against a stored hash. */
export interface Inspection {
  readonly valid: boolean
  /** What to store in place of a hash that verified and is not as new ones are; null otherwise. */
  readonly hash: string | null
}

/** A stored hash of one of the kinds that can be verified. */
type PasswordHash = Argon2Hash | ScryptHash | BcryptHash

const saltLength = 16
const tagLength = 32

/**
 * Hashes passwords with argon2id, never on the event loop, and a few at a time. Make one for each
 * process and share it: it is what keeps sign-ins from taking the whole machine.
 */
export class Password {
  readonly #cost: Argon2Cost
  readonly #derive: Argon2Derive
  readonly #line: HashingLine
  readonly #bcrypt: BcryptThread
  readonly #decoy: Argon2Hash

  /** @throws InvalidArgumentException for costs below the floors or above what is ever verified. */
  constructor(options: PasswordOptions = {}) {
    const { cost, slots, wait, waiting, derive } = completeOptions(options)
    this.#cost = cost
    this.#derive = derive ?? deriveArgon2
    this.#line = new HashingLine({ slots, wait, waiting })
    this.#bcrypt = new BcryptThread(new HashingLine({ slots: 1, wait, waiting }))
    // Its tag is drawn, not computed: it belongs to no password, and is ready before the first
    // request could ask.
    this.#decoy = this.#hashOf(randomBytes(saltLength), randomBytes(tagLength))
  }

  /**
   * A new hash, as a PHC string with a salt of its own.
   * @throws InvalidArgumentException for a password that is empty, above 1,024 bytes or no proper
   * text; OverloadedError when too many wait already.
   */
  async hash(password: string): Promise<string> {
    const message = passwordBytes(password)
    if (message === null) {
      // Says nothing of the password itself.
      throw new InvalidArgumentException(
        'E_INVALID_ARGUMENT',
        `a password has 1 to ${maxPasswordLength} bytes of well-formed text; check it before it is hashed`,
      )
    }
    return this.#make(message)
  }

  /** Whether a stored hash is as new ones are: the same algorithm at the same costs. */
  conforms(hash: string): boolean {
    const stored = parseArgon2(hash)
    return stored !== null && this.#isCurrent(stored)
  }

  /**
   * Holds a password against what is stored for an account, null when there is none. Whatever is
   * stored, exactly one hash of the current cost is computed, so that the time tells nobody whether
   * there is an account; only an old hash that takes longer than that shows, until it is replaced.
   * @throws OverloadedError when too many wait already.
   */
  async inspect(password: string, hash: string | null): Promise<Inspection> {
    const message = passwordBytes(password)
    const stored = hash === null ? null : parsePasswordHash(hash)
    if (message === null || stored === null) return this.#burn()
    if (this.#isCurrent(stored)) return { valid: await this.#matches(message, stored), hash: null }
    // The hash that will replace it is made right or wrong: it is the one that has to be computed.
    const [valid, fresh] = await Promise.all([
      this.#verifyLegacy(password, message, stored),
      this.#make(message),
    ])
    return { valid, hash: valid ? fresh : null }
  }

  async #burn(): Promise<Inspection> {
    await this.#matches(Buffer.from('decoy'), this.#decoy)
    return { valid: false, hash: null }
  }

  async #make(message: Buffer): Promise<string> {
    const salt = randomBytes(saltLength)
    const { memory, time: passes, parallelism } = this.#cost
    const parameters = { message, nonce: salt, memory, passes, parallelism, tagLength }
    const tag = await this.#line.run(() => this.#derive('argon2id', parameters))
    return formatArgon2(this.#hashOf(salt, tag))
  }

  #matches(message: Buffer, stored: Argon2Hash): Promise<boolean> {
    return this.#line.run(() => matchesArgon2(message, stored, this.#derive))
  }

  // What other systems stored was made of the text as it was typed. An argon2id of other costs is
  // taken for one of ours from before the costs were changed.
  #verifyLegacy(password: string, message: Buffer, stored: PasswordHash): Promise<boolean> {
    if (stored.kind === 'bcrypt') return this.#bcrypt.verify(password, stored)
    const typed = Buffer.from(password)
    if (stored.kind === 'scrypt') return this.#line.run(() => matchesScrypt(typed, stored))
    return this.#matches(stored.algorithm === 'argon2id' ? message : typed, stored)
  }

  #isCurrent(stored: PasswordHash): stored is Argon2Hash {
    if (stored.kind !== 'argon2' || stored.algorithm !== 'argon2id') return false
    const { memory, time, parallelism } = this.#cost
    return stored.memory === memory && stored.time === time && stored.parallelism === parallelism
  }

  #hashOf(salt: Buffer, tag: Buffer): Argon2Hash {
    return { kind: 'argon2', algorithm: 'argon2id', ...this.#cost, salt, tag }
  }
}

/** Reads a stored hash; null for anything else, and for one that would cost too much to verify. */
function parsePasswordHash(text: string): PasswordHash | null {
  return parseArgon2(text) ?? parseScrypt(text) ?? parseBcrypt(text)
}
