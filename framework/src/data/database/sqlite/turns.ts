/** Gives a place back. Calling it again does nothing. */
export type Release = () => void

// What setTimeout can count; more would fire at once.
const maxMs = 2 ** 31 - 1

/** A number of places that are taken in the order of asking: who came first goes first. */
export class Turns {
  #free: number
  readonly #waiting = new Set<() => void>()

  constructor(places: number) {
    this.#free = places
  }

  /** Resolves when a place is free, or with null when `timeoutMs` have passed before that. */
  take(timeoutMs: number): Promise<Release | null> {
    if (this.#free > 0) {
      this.#free--
      return Promise.resolve(this.#release())
    }
    return new Promise((resolve) => {
      const enter = (): void => {
        clearTimeout(timer)
        resolve(this.#release())
      }
      const giveUp = (): void => {
        this.#waiting.delete(enter)
        resolve(null)
      }
      const timer = setTimeout(giveUp, Math.min(timeoutMs, maxMs))
      this.#waiting.add(enter)
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

  // The place goes straight to the next in line, so that nobody who comes later can take it.
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
