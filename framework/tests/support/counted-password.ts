import { deriveArgon2 } from '../../src/app/security/passwords/argon2-hash.ts'
import { Password } from '../../src/app/security/passwords/password.ts'

/** A password hasher that does the real work, counts it, and can be made to wait for something. */
export class CountedPassword {
  readonly password: Password
  /** Computations of the current cost since the last `taken()`. */
  #count = 0
  #meanwhile: (() => unknown) | null = null
  #crowd: Crowd | null = null

  constructor() {
    this.password = new Password({
      slots: 32,
      wait: 60,
      derive: async (algorithm, parameters) => {
        const { memory, passes, parallelism } = parameters
        const isCurrent = memory === 19_456 && passes === 2 && parallelism === 1
        if (algorithm === 'argon2id' && isCurrent) this.#count += 1
        const meanwhile = this.#meanwhile
        this.#meanwhile = null
        await meanwhile?.()
        const tag = await deriveArgon2(algorithm, parameters)
        await this.#crowd?.enter()
        return tag
      },
    })
  }

  /** How many hashes of the current cost there were since it was last asked. */
  taken(): number {
    const count = this.#count
    this.#count = 0
    return count
  }

  /** Does something while the next password is hashed, once. */
  during(work: () => unknown): void {
    this.#meanwhile = work
  }

  /** Gives the next hashes out all at the same moment, when so many are made; at most 32. */
  gather(count: number): void {
    this.#crowd = new Crowd(count, () => (this.#crowd = null))
  }
}

class Crowd {
  readonly #gate = Promise.withResolvers<undefined>()
  readonly #left: () => unknown
  #missing: number

  constructor(count: number, left: () => unknown) {
    this.#missing = count
    this.#left = left
  }

  enter(): Promise<undefined> {
    this.#missing -= 1
    if (this.#missing === 0) {
      this.#left()
      this.#gate.resolve(undefined)
    }
    return this.#gate.promise
  }
}

/** Makes hashes as they were before the cost was lowered to what it is now. */
export const formerPassword: Password = new Password({ time: 3, wait: 60 })
