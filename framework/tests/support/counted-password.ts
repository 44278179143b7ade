import { deriveArgon2 } from '../../src/accounts/passwords/argon2-hash.ts'
import type { Argon2Derive } from '../../src/accounts/passwords/argon2-hash.ts'
import { Password } from '../../src/accounts/passwords/password.ts'

/** A real password hasher that counts its work and can be paused. */
export class CountedPassword {
  readonly password: Password
  /** Hashes of the current cost since the last `taken()`. */
  #count = 0
  #meanwhile: (() => unknown) | null = null
  #crowd: Crowd | null = null

  constructor(derive: Argon2Derive = deriveArgon2) {
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
        const tag = await derive(algorithm, parameters)
        await this.#crowd?.enter()
        return tag
      },
    })
  }

  /** The number of hashes of the current cost since the last call. */
  taken(): number {
    const count = this.#count
    this.#count = 0
    return count
  }

  /** Runs something while the next password is hashed, once. */
  during(work: () => unknown): void {
    this.#meanwhile = work
  }

  /** Releases the next hashes at the same moment, once this many are done; at most 32. */
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

/**
 * Argon2 on the thread pool at its lowest cost, for tests that compute hundreds of hashes. Those of
 * different costs differ, as real ones do.
 */
export const cheapArgon2: Argon2Derive = (algorithm, { memory, passes, ...parameters }) =>
  deriveArgon2(algorithm, {
    ...parameters,
    memory: 8 * parameters.parallelism,
    passes: 1,
    associatedData: Buffer.from(`${memory} ${passes}`),
  })

/** Makes hashes with the former, higher cost. */
export const formerPassword: Password = new Password({ time: 3, wait: 60 })
