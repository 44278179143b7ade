import { argon2, timingSafeEqual } from 'node:crypto'
import type { Argon2Algorithm, Argon2Parameters } from 'node:crypto'
import { formatPhc, parsePhc } from './phc-string.ts'

/** The cost of one computation. */
export interface Argon2Cost {
  /** KiB. */
  readonly memory: number
  /** Passes over the memory. */
  readonly time: number
  /** Lanes, each on its own thread. */
  readonly parallelism: number
}

/** A parsed Argon2 hash. */
export interface Argon2Hash extends Argon2Cost {
  readonly kind: 'argon2'
  readonly algorithm: Argon2Algorithm
  readonly salt: Buffer
  readonly tag: Buffer
}

/**
 * A hash that costs more than this is treated as malformed: anyone able to write a row could
 * otherwise make each sign-in attempt take a gigabyte, minutes or a hundred threads.
 */
export const argon2Ceiling: Argon2Cost = { memory: 262_144, time: 10, parallelism: 16 }

const version = 0x13
// A shorter salt could repeat; a shorter tag could match by chance.
const saltLengths = { min: 8, max: 64 }
const tagLengths = { min: 16, max: 64 }

/** Computes Argon2 off the event loop. */
export type Argon2Derive = (
  algorithm: Argon2Algorithm,
  parameters: Argon2Parameters,
) => Promise<Buffer>

/** Node's own Argon2, on the thread pool. */
export const deriveArgon2: Argon2Derive = (algorithm, parameters) => {
  return new Promise((resolve, reject) => {
    argon2(algorithm, parameters, (error, tag) => {
      if (error === null) resolve(tag)
      else reject(error)
    })
  })
}

/**
 * Parses `$argon2id$v=19$m=…,t=…,p=…$salt$tag`, of argon2i and argon2d too; null if it is malformed
 * or outside the accepted limits.
 */
export function parseArgon2(text: string): Argon2Hash | null {
  const parsed = parsePhc(text)
  if (parsed === null || !isAlgorithm(parsed.id) || parsed.version !== version) return null
  const [memory, time, parallelism, ...more] = parsed.parameters
  if (memory?.[0] !== 'm' || time?.[0] !== 't' || parallelism?.[0] !== 'p') return null
  const cost = { memory: memory[1], time: time[1], parallelism: parallelism[1] }
  const { salt, hash: tag } = parsed
  if (more.length > 0 || !isCostInRange(cost)) return null
  if (!fits(salt, saltLengths) || !fits(tag, tagLengths)) return null
  return { kind: 'argon2', algorithm: parsed.id, ...cost, salt, tag }
}

/** Formats a hash for storage. */
export function formatArgon2(hash: Argon2Hash): string {
  const { algorithm: id, memory, time, parallelism, salt, tag } = hash
  const parameters = [['m', memory] as const, ['t', time] as const, ['p', parallelism] as const]
  return formatPhc({ id, version, parameters, salt, hash: tag })
}

/** Whether `message` hashes to `tag`, compared in constant time. */
export async function matchesArgon2(
  message: Buffer,
  { algorithm, memory, time, parallelism, salt, tag }: Argon2Hash,
  derive: Argon2Derive,
): Promise<boolean> {
  const derived = await derive(algorithm, {
    message,
    nonce: salt,
    memory,
    passes: time,
    parallelism,
    tagLength: tag.length,
  })
  return timingSafeEqual(derived, tag)
}

function isAlgorithm(id: string): id is Argon2Algorithm {
  return id === 'argon2id' || id === 'argon2i' || id === 'argon2d'
}

function isCostInRange({ memory, time, parallelism }: Argon2Cost): boolean {
  return (
    time >= 1 &&
    time <= argon2Ceiling.time &&
    parallelism >= 1 &&
    parallelism <= argon2Ceiling.parallelism &&
    // Argon2 itself needs eight blocks of 1 KiB per lane.
    memory >= 8 * parallelism &&
    memory <= argon2Ceiling.memory
  )
}

function fits({ length }: Buffer, { min, max }: { min: number; max: number }): boolean {
  return length >= min && length <= max
}
