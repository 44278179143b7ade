import { availableParallelism } from 'node:os'
import { Steps } from '../../activity/steps.ts'
import { OverloadedError } from '../../base/errors.ts'

/** Limits of a `HashingQueue`. */
export interface HashingQueueOptions {
  /** Computations that run concurrently. */
  readonly slots: number
  /** Maximum seconds in the queue. */
  readonly wait: number
  /** Maximum number in the queue. */
  readonly waiting: number
}

/** Work that waits for a slot. */
interface Waiting {
  readonly start: () => void
  readonly reject: (error: OverloadedError) => void
}

/**
 * Runs a few computations concurrently; the others wait. Networks take turns, each in its order of
 * arrival, so that a flood of one of them costs another no more than a turn. Work that cannot
 * start in time never starts: the client may have given up, so it must not cost anything.
 */
export class HashingQueue {
  readonly #wait: number
  readonly #maxWaiting: number
  /** By network, the one whose turn is next first. */
  readonly #waiting = new Map<string, Set<Waiting>>()
  #size = 0
  #free: number

  constructor({ slots, wait, waiting }: HashingQueueOptions) {
    this.#free = slots
    this.#wait = wait
    this.#maxWaiting = waiting
  }

  /**
   * Runs the work when a slot is free. Work without a network shares its turns with all other such work.
   * @throws OverloadedError when none is free in time.
   */
  async run<Result>(work: () => Promise<Result>, network: string = ''): Promise<Result> {
    // With the wait: the inspector shows where the time of a sign-in goes.
    const step = Steps.Instance.beginSpan('hash a password')
    if (this.#free > 0) this.#free -= 1
    else await this.#waitForSlot(network)
    try {
      return await work()
    } finally {
      step?.end(0, null)
      this.#releaseSlot()
    }
  }

  async #waitForSlot(network: string): Promise<void> {
    if (this.#size >= this.#maxWaiting && !this.#makeRoom(network)) throw this.#overloaded()
    const { promise, resolve: start, reject } = Promise.withResolvers<void>()
    const waiting: Waiting = { start, reject }
    const timer = setTimeout(() => {
      this.#remove(network, waiting)
      reject(this.#overloaded())
    }, this.#wait * 1000)
    this.#add(network, waiting)
    await promise.finally(() => clearTimeout(timer))
  }

  // In a full queue the network with the most waiting gives up its latest, unless that would only trade
  // places: then the newcomer is refused.
  #makeRoom(network: string): boolean {
    let fullest = network
    const sizeOf = (name: string): number => this.#waiting.get(name)?.size ?? 0
    for (const [name, { size }] of this.#waiting) if (size > sizeOf(fullest)) fullest = name
    if (sizeOf(fullest) <= sizeOf(network) + 1) return false
    const latest = [...(this.#waiting.get(fullest) ?? [])].at(-1)
    if (latest === undefined) return false
    this.#remove(fullest, latest)
    latest.reject(this.#overloaded())
    return true
  }

  // Passed directly to the next in the queue, so that a newcomer cannot take the slot in between.
  #releaseSlot(): void {
    for (const [network, line] of this.#waiting) {
      for (const next of line) {
        this.#remove(network, next)
        this.#moveBack(network, line)
        next.start()
        return
      }
    }
    this.#free += 1
  }

  #add(network: string, waiting: Waiting): void {
    const line = this.#waiting.get(network) ?? new Set()
    this.#waiting.set(network, line.add(waiting))
    this.#size += 1
  }

  #remove(network: string, waiting: Waiting): void {
    const line = this.#waiting.get(network)
    if (line?.delete(waiting) !== true) return
    this.#size -= 1
    if (line.size === 0) this.#waiting.delete(network)
  }

  #moveBack(network: string, line: Set<Waiting>): void {
    if (line.size === 0) return
    this.#waiting.delete(network)
    this.#waiting.set(network, line)
  }

  #overloaded(): OverloadedError {
    return new OverloadedError(
      `this process cannot hash all waiting passwords within ${this.#wait} s; ` +
        'limit the rate of sign-ins, or run more workers',
      Math.max(1, Math.ceil(this.#wait)),
    )
  }
}

/** Default size of libuv's thread pool. */
const defaultThreads = 4
const maxThreads = 1024

/**
 * How many hashes may be computed concurrently. They share the thread pool with file access and DNS
 * lookups, so one of its threads stays free. More than there are cores would finish no sooner.
 *
 * Measured with forty hashes on two cores and four threads: two and three at a time reach the same
 * rate; reading a file then took 0.08 s at worst, with four at a time 0.5 s, without a limit 2.4 s.
 */
export function hashingSlots(
  threads: string | undefined = process.env['UV_THREADPOOL_SIZE'],
  cores: number = availableParallelism(),
): number {
  return Math.max(1, Math.min(poolSize(threads) - 1, cores))
}

// Parsed like libuv does: leading digits only, and 0 means one thread.
function poolSize(threads: string | undefined): number {
  if (threads === undefined) return defaultThreads
  const given = Number.parseInt(threads, 10)
  return Number.isNaN(given) ? 1 : Math.min(maxThreads, Math.max(1, given))
}
