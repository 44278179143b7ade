import { scrypt, timingSafeEqual } from 'node:crypto'
import { parsePhc } from './phc-string.ts'

/** A parsed scrypt hash. */
export interface ScryptHash {
  readonly kind: 'scrypt'
  /** Blocks of memory, a power of two. */
  readonly cost: number
  readonly blockSize: number
  readonly parallelization: number
  readonly salt: Buffer
  readonly key: Buffer
}

/** Maximum bytes for one computation. */
const maxMemory = 256 * 1024 * 1024
/** Maximum blocks × block size × lanes: four times the usual recommendation. */
const maxWork = 2 ** 22

/** Parses `$scrypt$ln=…,r=…,p=…$salt$key`; null for anything else, or if it costs too much. */
export function parseScrypt(text: string): ScryptHash | null {
  const parsed = parsePhc(text)
  if (parsed === null || parsed.id !== 'scrypt' || parsed.version !== null) return null
  const [ln, r, p, ...more] = parsed.parameters
  if (ln?.[0] !== 'ln' || r?.[0] !== 'r' || p?.[0] !== 'p' || more.length > 0) return null
  const cost = 2 ** ln[1]
  const [blockSize, parallelization] = [r[1], p[1]]
  if (cost < 2 || blockSize < 1 || parallelization < 1) return null
  if (memoryOf(cost, blockSize) > maxMemory) return null
  if (cost * blockSize * parallelization > maxWork) return null
  const { salt, hash: key } = parsed
  // Shorter ones could collide or repeat; longer ones are not in use.
  if (salt.length < 8 || salt.length > 64 || key.length < 16 || key.length > 64) return null
  return { kind: 'scrypt', cost, blockSize, parallelization, salt, key }
}

/** Whether a message has this hash. Computed on a thread of the pool. */
export function matchesScrypt(message: Buffer, hash: ScryptHash): Promise<boolean> {
  const { cost, blockSize, parallelization, salt, key } = hash
  // OpenSSL counts slightly more than the blocks themselves.
  const maxmem = 2 * memoryOf(cost, blockSize) + 2 ** 20 + 128 * blockSize * parallelization
  return new Promise((resolve, reject) => {
    const options = { cost, blockSize, parallelization, maxmem }
    scrypt(message, salt, key.length, options, (error, derived) => {
      if (error === null) resolve(timingSafeEqual(derived, key))
      else reject(error)
    })
  })
}

function memoryOf(cost: number, blockSize: number): number {
  return 128 * cost * blockSize
}
