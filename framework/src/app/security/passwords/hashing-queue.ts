import { OverloadedError } from '../../../base/errors.ts'

/** Limits of a `HashingQueue`. */
export interface HashingQueueOptions {
  /** Computations that run concurrently. */
  readonly slots: number
  /** Maximum seconds in the queue. */
  readonly wait: number
  /** Maximum number in the queue. */
  readonly waiting: number
}

/**
 * Runs a few computations concurrently; the others wait in order. One that cannot start in time
 * never starts: the client may have given up, so it must not cost anything.
 */
export class HashingQueue {
  readonly #wait: number
  readonly #maxWaiting: number
  readonly #waiting = new Set<() => void>()
  #free: number

  constructor({ slots, wait, waiting }: HashingQueueOptions) {
    this.#free = slots
    this.#wait = wait
    this.#maxWaiting = waiting
  }

  /** Runs the work when a slot is free. @throws OverloadedError when none is free in time. */
  async run<Result>(work: () => Promise<Result>): Promise<Result> {
    if (this.#free > 0) this.#free -= 1
    else await this.#waitForSlot()
    try {
      return await work()
    } finally {
      this.#releaseSlot()
    }
  }

  #waitForSlot(): Promise<void> {
    if (this.#waiting.size >= this.#maxWaiting) return Promise.reject(this.#overloaded())
    return new Promise((resolve, reject) => {
      const start = (): void => {
        clearTimeout(timer)
        resolve()
      }
      const timer = setTimeout(() => {
        this.#waiting.delete(start)
        reject(this.#overloaded())
      }, this.#wait * 1000)
      this.#waiting.add(start)
    })
  }

  // Passed directly to the first in the queue, so that a newcomer cannot take the slot in between.
  #releaseSlot(): void {
    const [start] = this.#waiting
    if (start === undefined) {
      this.#free += 1
      return
    }
    this.#waiting.delete(start)
    start()
  }

  #overloaded(): OverloadedError {
    return new OverloadedError(
      `this process cannot hash all waiting passwords within ${this.#wait} s; ` +
        'limit the rate of sign-ins, or run more workers',
      Math.max(1, Math.ceil(this.#wait)),
    )
  }
}
