import { randomBytes } from 'node:crypto'
import { networkOf } from '../../base/addresses/network-of.ts'
import { InvalidArgumentException } from '../../base/errors.ts'
import { deriveArgon2, formatArgon2, matchesArgon2, parseArgon2 } from './argon2-hash.ts'
import type { Argon2Cost, Argon2Derive, Argon2Hash } from './argon2-hash.ts'
import { parseBcrypt } from './bcrypt-hash.ts'
import type { BcryptHash } from './bcrypt-hash.ts'
import { BcryptThread } from './bcrypt-thread.ts'
import { HashingQueue } from './hashing-queue.ts'
import { completeOptions } from './password-options.ts'
import type { PasswordOptions } from './password-options.ts'
import { maxPasswordLength, passwordBytes } from './password-text.ts'
import { matchesScrypt, parseScrypt } from './scrypt-hash.ts'
import type { ScryptHash } from './scrypt-hash.ts'

/** The result of checking a password against a stored hash. */
export interface Inspection {
  readonly valid: boolean
  /** The hash to store instead of a valid but outdated one; null otherwise. */
  readonly hash: string | null
}

/** Who a password is hashed for. */
export interface HashingOptions {
  /**
   * The client's address. When more passwords wait than can be hashed, the networks of clients take
   * turns (IPv4 /24, IPv6 /48); those of nobody share one turn.
   */
  readonly peer?: string | undefined
}

/** A stored hash of a supported kind. */
type PasswordHash = Argon2Hash | ScryptHash | BcryptHash

const saltLength = 16
const tagLength = 32

/**
 * Hashes passwords with argon2id, off the event loop and a few at a time. Create one per process
 * and share it: it keeps sign-ins from using up the whole machine.
 */
export class Password {
  readonly #cost: Argon2Cost
  readonly #derive: Argon2Derive
  readonly #queue: HashingQueue
  readonly #bcrypt: BcryptThread
  readonly #decoy: Argon2Hash

  /** @throws InvalidArgumentException for an invalid option. */
  constructor(options: PasswordOptions = {}) {
    const { cost, slots, wait, waiting, derive } = completeOptions(options)
    this.#cost = cost
    this.#derive = derive ?? deriveArgon2
    this.#queue = new HashingQueue({ slots, wait, waiting })
    this.#bcrypt = new BcryptThread(new HashingQueue({ slots: 1, wait, waiting }))
    // Random, so no password matches it and nothing has to be hashed at start-up.
    this.#decoy = this.#argon2Hash(randomBytes(saltLength), randomBytes(tagLength))
  }

  /**
   * A new hash, as a PHC string with its own salt.
   * @throws InvalidArgumentException for a password that is empty, longer than 1,024 bytes or not
   * well-formed Unicode; OverloadedError when too many are waiting.
   */
  async hash(password: string, { peer = '' }: HashingOptions = {}): Promise<string> {
    const message = passwordBytes(password)
    if (message === null) {
      // The message must not reveal anything about the password.
      throw new InvalidArgumentException(
        'E_INVALID_ARGUMENT',
        `a password must be well-formed text of 1 to ${maxPasswordLength} bytes; validate it before hashing`,
      )
    }
    return this.#createHash(message, networkOf(peer))
  }

  /** Whether a stored hash is up to date: the current algorithm at the current cost. */
  conforms(hash: string): boolean {
    const stored = parseArgon2(hash)
    return stored !== null && this.#isCurrent(stored)
  }

  /**
   * Checks a password. Pass null as the hash if the account does not exist. Whatever is stored,
   * exactly one hash at the current cost is computed, so that the time does not reveal whether an
   * account exists. The exception is an outdated hash that is slower to verify: it can be detected
   * until it is replaced.
   * @throws OverloadedError when too many are waiting.
   */
  async inspect(
    password: string,
    hash: string | null,
    { peer = '' }: HashingOptions = {},
  ): Promise<Inspection> {
    const network = networkOf(peer)
    const message = passwordBytes(password)
    const stored = hash === null ? null : parsePasswordHash(hash)
    if (message === null || stored === null) return this.#verifyDecoy(network)
    if (this.#isCurrent(stored)) {
      return { valid: await this.#matches(message, stored, network), hash: null }
    }
    // Also computed for a wrong password, so that every check costs one current hash.
    const [valid, fresh] = await Promise.all([
      this.#verifyLegacy(password, message, stored, network),
      this.#createHash(message, network),
    ])
    return { valid, hash: valid ? fresh : null }
  }

  async #verifyDecoy(network: string): Promise<Inspection> {
    await this.#matches(Buffer.from('decoy'), this.#decoy, network)
    return { valid: false, hash: null }
  }

  async #createHash(message: Buffer, network: string): Promise<string> {
    const salt = randomBytes(saltLength)
    const { memory, time: passes, parallelism } = this.#cost
    const parameters = { message, nonce: salt, memory, passes, parallelism, tagLength }
    const tag = await this.#queue.run(() => this.#derive('argon2id', parameters), network)
    return formatArgon2(this.#argon2Hash(salt, tag))
  }

  #matches(message: Buffer, stored: Argon2Hash, network: string): Promise<boolean> {
    return this.#queue.run(() => matchesArgon2(message, stored, this.#derive), network)
  }

  // `message` is normalised, but hashes of other systems were made from the text as typed. An argon2id
  // hash at another cost is assumed to be ours, from before the cost was changed.
  #verifyLegacy(
    password: string,
    message: Buffer,
    stored: PasswordHash,
    network: string,
  ): Promise<boolean> {
    if (stored.kind === 'bcrypt') return this.#bcrypt.verify(password, stored, network)
    const typed = Buffer.from(password)
    if (stored.kind === 'scrypt')
      return this.#queue.run(() => matchesScrypt(typed, stored), network)
    return this.#matches(stored.algorithm === 'argon2id' ? message : typed, stored, network)
  }

  #isCurrent(stored: PasswordHash): stored is Argon2Hash {
    if (stored.kind !== 'argon2' || stored.algorithm !== 'argon2id') return false
    const { memory, time, parallelism } = this.#cost
    return stored.memory === memory && stored.time === time && stored.parallelism === parallelism
  }

  #argon2Hash(salt: Buffer, tag: Buffer): Argon2Hash {
    return { kind: 'argon2', algorithm: 'argon2id', ...this.#cost, salt, tag }
  }
}

/** Parses a stored hash; null for anything else, or if it costs too much to verify. */
function parsePasswordHash(text: string): PasswordHash | null {
  return parseArgon2(text) ?? parseScrypt(text) ?? parseBcrypt(text)
}
