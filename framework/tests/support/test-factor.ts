import type { Factor, FactorAttempt } from '../../src/accounts/factors/factor.ts'

/** A factor whose codes a test gives out: each is accepted once, for one account. */
export class TestFactor implements Factor {
  readonly name: string
  /** What was tried. */
  readonly attempts: FactorAttempt[] = []
  readonly #codes = new Map<string, string>()
  readonly #users = new Set<string>()
  #given = 0

  constructor(name: string = 'test') {
    this.name = name
  }

  /** A code for an account. */
  code(user: string): string {
    this.#given += 1
    const code = String(100_000 + this.#given)
    this.#codes.set(code, user)
    this.#users.add(user)
    return code
  }

  async isEnrolled(user: string): Promise<boolean> {
    return this.#users.has(user)
  }

  async verify(attempt: FactorAttempt): Promise<boolean> {
    this.attempts.push(attempt)
    const { code = '' } = attempt.fields
    return this.#codes.get(code) === attempt.user && this.#codes.delete(code)
  }
}
