import { randomBytes } from 'node:crypto'
import { networkOf } from '../../base/network.ts'
import { invalidArgument } from '../../base/errors.ts'
import type { InvalidArgumentException } from '../../base/errors.ts'
import {
  deriveArgon2,
  formatArgon2,
  matchesArgon2,
  parseArgon2,
  argon2Ceiling,
} from './argon2-hash.ts'
import type { Argon2Cost, Argon2Derive, Argon2Hash } from './argon2-hash.ts'
import { parseBcrypt, BcryptThread } from './bcrypt-hash.ts'
import type { BcryptHash } from './bcrypt-hash.ts'
import { HashingQueue, hashingSlots } from './hashing-queue.ts'
import type { HashingQueueOptions } from './hashing-queue.ts'
import { matchesScrypt, parseScrypt } from './scrypt-hash.ts'
import type { ScryptHash } from './scrypt-hash.ts'

/** Options of `Password`. */
export interface PasswordOptions {
  /** KiB of memory. The default is also the minimum. @default 19456 */
  readonly memory?: number
  /** Passes over the memory. The default is also the minimum. @default 2 */
  readonly time?: number
  /** Lanes. @default 1 */
  readonly parallelism?: number
  /** Hashes computed concurrently. @default as many as the thread pool allows */
  readonly slots?: number
  /** Maximum seconds a password waits for a slot. @default 2 */
  readonly wait?: number
  /** Maximum number of passwords waiting for a slot. @default 1000 */
  readonly waiting?: number
  /** Replaces Node's Argon2, in tests that count or time hashes. */
  readonly derive?: Argon2Derive
}

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

/** OWASP's recommended minimum for argon2id; weaker hashes are never created. */
const minCost: Argon2Cost = { memory: 19_456, time: 2, parallelism: 1 }

/** Maximum length of a password in bytes; a longer one is rejected, never truncated. */
export const maxPasswordLength = 1_024

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
    const { memory, time, parallelism, derive = deriveArgon2 } = options
    this.#cost = {
      memory: checkedCost('memory', memory),
      time: checkedCost('time', time),
      parallelism: checkedCost('parallelism', parallelism),
    }
    this.#derive = derive
    const limits = checkedLimits(options)
    this.#queue = new HashingQueue(limits)
    this.#bcrypt = new BcryptThread(new HashingQueue({ ...limits, slots: 1 }))
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
      throw invalidArgument(
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

/**
 * The bytes of a password as they are hashed; null if it is empty, too long or not well-formed.
 *
 * The text is normalized to NFC (as in RFC 8265): one keyboard writes ä as one character, another
 * as two, and both must work. NFKC would go too far: it turns ² into 2.
 */
export function passwordBytes(password: string): Buffer | null {
  // All lone surrogates encode to the same bytes, so they would be the same password.
  if (password === '' || isTooLong(password) || !password.isWellFormed()) return null
  const bytes = Buffer.from(password.normalize('NFC'))
  return bytes.length > maxPasswordLength ? null : bytes
}

// Checked before the normalization, whose cost grows with the length.
function isTooLong(password: string): boolean {
  return password.length > maxPasswordLength || Buffer.byteLength(password) > maxPasswordLength
}

/** Parses a stored hash; null for anything else, or if it costs too much to verify. */
function parsePasswordHash(text: string): PasswordHash | null {
  return parseArgon2(text) ?? parseScrypt(text) ?? parseBcrypt(text)
}

function checkedLimits({
  wait = 2,
  waiting = 1_000,
  slots = hashingSlots(),
}: PasswordOptions): HashingQueueOptions {
  if (!Number.isFinite(wait) || wait <= 0 || wait > 60) {
    throw invalidOption('wait', 'seconds above zero, at most 60', wait)
  }
  if (!Number.isInteger(waiting) || waiting < 0) {
    throw invalidOption('waiting', 'a whole number', waiting)
  }
  if (!Number.isInteger(slots) || slots < 1) {
    throw invalidOption('slots', 'a whole number above zero', slots)
  }
  return { slots, wait, waiting }
}

// A hash above the ceiling would be rejected on verification, so none may be created.
function checkedCost(name: keyof Argon2Cost, value: number = minCost[name]): number {
  const [min, max] = [minCost[name], argon2Ceiling[name]]
  if (Number.isInteger(value) && value >= min && value <= max) return value
  throw invalidOption(name, `a whole number from ${min} to ${max}`, value)
}

function invalidOption(option: string, expected: string, got: unknown): InvalidArgumentException {
  return invalidArgument(
    `password option "${option}" must be ${expected}, got ${JSON.stringify(got)}`,
  )
}
