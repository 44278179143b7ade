import { OverloadedError } from '../../../base/errors.ts'

/** How many hash at once, and how many wait for how long. */
export interface HashingLineOptions {
  readonly slots: number
  /** Seconds that one may wait. */
  readonly wait: number
  /** How many may wait. */
  readonly waiting: number
}

/**
 * Lets a few computations run at once and the others wait in the order they came. What cannot begin
 * in time never begins: who has given up waiting must not cost anything more.
 */
export class HashingLine {
  readonly #wait: number
  readonly #most: number
  readonly #line = new Set<() => void>()
  #free: number

  constructor({ slots, wait, waiting }: HashingLineOptions) {
    this.#free = slots
    this.#wait = wait
    this.#most = waiting
  }

  /** Runs the work when it is its turn. @throws OverloadedError when that does not come in time. */
  async run<Result>(work: () => Promise<Result>): Promise<Result> {
    if (this.#free > 0) this.#free -= 1
    else await this.#queue()
    try {
      return await work()
    } finally {
      this.#next()
    }
  }

  #queue(): Promise<void> {
    if (this.#line.size >= this.#most) return Promise.reject(this.#refusal())
    return new Promise((resolve, reject) => {
      const enter = (): void => {
        clearTimeout(timer)
        resolve()
      }
      const timer = setTimeout(() => {
        this.#line.delete(enter)
        reject(this.#refusal())
      }, this.#wait * 1000)
      this.#line.add(enter)
    })
  }

  // The slot goes to the first in line itself: nobody who comes now can take it in between.
  #next(): void {
    const [enter] = this.#line
    if (enter === undefined) {
      this.#free += 1
      return
    }
    this.#line.delete(enter)
    enter()
  }

  #refusal(): OverloadedError {
    return new OverloadedError(
      `more passwords are to be hashed than this process can hash within ${this.#wait} s; ` +
        'limit the rate of sign-ins, or run more workers',
      Math.max(1, Math.ceil(this.#wait)),
    )
  }
}
