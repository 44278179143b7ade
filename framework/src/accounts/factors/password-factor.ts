import type { Factor, FactorAttempt } from './factor.ts'

/** The part of `Users` that `PasswordFactor` needs. */
export interface PasswordChecker {
  check(user: string, password: string, options?: { readonly peer?: string }): Promise<boolean>
  hasPassword(user: string): Promise<boolean>
}

/**
 * The password of an account, in the field `password`, for `Confirmation`. It is no second factor: a
 * gate does not take it.
 */
export class PasswordFactor implements Factor {
  readonly name: string = 'password'
  readonly #users: PasswordChecker

  constructor(users: PasswordChecker) {
    this.#users = users
  }

  isEnrolled(user: string): Promise<boolean> {
    return this.#users.hasPassword(user)
  }

  verify({ user, fields: { password = '' }, peer }: FactorAttempt): Promise<boolean> {
    return this.#users.check(user, password, { peer })
  }
}
