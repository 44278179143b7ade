/** Releases a slot. Calling it again does nothing. */
type Release = () => void

// The maximum of setTimeout; a larger value would fire immediately.
const maxMs = 2 ** 31 - 1

/** A number of slots, acquired first come, first served. */
export class Semaphore {
  #free: number
  readonly #waiting = new Set<() => void>()

  constructor(slots: number) {
    this.#free = slots
  }

  /** Resolves when a slot is free, or with null after `timeoutMs`. */
  acquire(timeoutMs: number): Promise<Release | null> {
    if (this.#free > 0) {
      this.#free--
      return Promise.resolve(this.#release())
    }
    return new Promise((resolve) => {
      const start = (): void => {
        clearTimeout(timer)
        resolve(this.#release())
      }
      const giveUp = (): void => {
        this.#waiting.delete(start)
        resolve(null)
      }
      const timer = setTimeout(giveUp, Math.min(timeoutMs, maxMs))
      this.#waiting.add(start)
    })
  }

  #release(): Release {
    let isHeld = true
    return () => {
      if (!isHeld) return
      isHeld = false
      this.#passOn()
    }
  }

  // Passed directly to the next in line, so that a newcomer cannot take the slot in between.
  #passOn(): void {
    const [next] = this.#waiting
    if (next === undefined) {
      this.#free++
      return
    }
    this.#waiting.delete(next)
    next()
  }
}
