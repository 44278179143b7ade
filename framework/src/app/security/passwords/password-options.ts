import { InvalidArgumentException } from '../../../base/errors.ts'
import type { Argon2Cost, Argon2Derive } from './argon2-hash.ts'
import { argon2Ceiling } from './argon2-hash.ts'
import { hashingSlots } from './hashing-slots.ts'

/** What a hash costs, and how many are computed at once. */
export interface PasswordOptions {
  /** KiB of memory; 19,456 unless given, which is also the least. */
  readonly memory?: number
  /** Passes over the memory; 2 unless given, which is also the least. */
  readonly time?: number
  /** Lanes; 1 unless given. */
  readonly parallelism?: number
  /** Hashes computed at once; as many as the thread pool bears unless given. */
  readonly slots?: number
  /** Seconds a password may wait for its turn; 2 unless given. */
  readonly wait?: number
  /** How many passwords may wait for their turn; 1,000 unless given. */
  readonly waiting?: number
  /** Computes Argon2 in place of Node itself, for those who count or measure. */
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

/** The least that is advised for argon2id; weaker hashes are never made. */
const floor: Argon2Cost = { memory: 19_456, time: 2, parallelism: 1 }

/** @throws InvalidArgumentException for a value that cannot work. */
export function completeOptions(options: PasswordOptions): CompletePasswordOptions {
  const { wait = 2, waiting = 1_000, slots = hashingSlots(), derive = null } = options
  const memory = costOf('memory', options)
  const time = costOf('time', options)
  const parallelism = costOf('parallelism', options)
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

// Above the ceiling a hash is refused when it is verified, so none of that kind may be made.
function costOf(name: keyof Argon2Cost, options: PasswordOptions): number {
  const { [name]: value = floor[name] } = options
  const [least, most] = [floor[name], argon2Ceiling[name]]
  if (Number.isInteger(value) && value >= least && value <= most) return value
  throw invalidOption(name, `a whole number from ${least} to ${most}`, value)
}

function invalidOption(option: string, expected: string, came: unknown): InvalidArgumentException {
  return new InvalidArgumentException(
    'E_INVALID_ARGUMENT',
    `password option "${option}" must be ${expected}, not ${JSON.stringify(came)}`,
  )
}
