/** Lets a few go on at once. The others wait in line, and may leave it. */
export class Turns {
  #free: number
  readonly #line = new Set<() => void>()

  constructor(most: number) {
    this.#free = most
  }

  /** Resolves when it is one's turn; rejects with the reason of the signal when that comes first. */
  take(signal: AbortSignal): Promise<void> {
    if (signal.aborted) return Promise.reject(signal.reason)
    if (this.#free > 0) {
      this.#free -= 1
      return Promise.resolve()
    }
    return new Promise((resolve, reject) => {
      const leave = (): void => {
        this.#line.delete(enter)
        reject(signal.reason)
      }
      const enter = (): void => {
        signal.removeEventListener('abort', leave)
        resolve()
      }
      this.#line.add(enter)
      signal.addEventListener('abort', leave, { once: true })
    })
  }

  /** Ends a turn that was taken; the first in line has the next one. */
  give(): void {
    const [next] = this.#line
    if (next === undefined) this.#free += 1
    else {
      this.#line.delete(next)
      next()
    }
  }
}
