import { InvalidArgumentException } from '../../base/errors.ts'
import type { Argon2Cost, Argon2Derive } from './argon2-hash.ts'
import { argon2Ceiling } from './argon2-hash.ts'
import { hashingSlots } from './hashing-slots.ts'

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

/** The options, complete and checked. */
export interface CompletePasswordOptions {
  readonly cost: Argon2Cost
  readonly slots: number
  readonly wait: number
  readonly waiting: number
  readonly derive: Argon2Derive | null
}

/** OWASP's recommended minimum for argon2id; weaker hashes are never created. */
const minCost: Argon2Cost = { memory: 19_456, time: 2, parallelism: 1 }

/** @throws InvalidArgumentException for an invalid option. */
export function completeOptions(options: PasswordOptions): CompletePasswordOptions {
  const { wait = 2, waiting = 1_000, slots = hashingSlots(), derive = null } = options
  const memory = checkedCost('memory', options)
  const time = checkedCost('time', options)
  const parallelism = checkedCost('parallelism', options)
  if (!Number.isFinite(wait) || wait <= 0 || wait > 60) {
    throw invalidOption('wait', 'seconds above zero, at most 60', wait)
  }
  if (!Number.isInteger(waiting) || waiting < 0)
    throw invalidOption('waiting', 'a whole number', waiting)
  if (!Number.isInteger(slots) || slots < 1) {
    throw invalidOption('slots', 'a whole number above zero', slots)
  }
  return { cost: { memory, time, parallelism }, slots, wait, waiting, derive }
}

// A hash above the ceiling would be rejected on verification, so none may be created.
function checkedCost(name: keyof Argon2Cost, options: PasswordOptions): number {
  const { [name]: value = minCost[name] } = options
  const [min, max] = [minCost[name], argon2Ceiling[name]]
  if (Number.isInteger(value) && value >= min && value <= max) return value
  throw invalidOption(name, `a whole number from ${min} to ${max}`, value)
}

function invalidOption(option: string, expected: string, got: unknown): InvalidArgumentException {
  return new InvalidArgumentException(
    'E_INVALID_ARGUMENT',
    `password option "${option}" must be ${expected}, got ${JSON.stringify(got)}`,
  )
}
