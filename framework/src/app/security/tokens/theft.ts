/**
 * Somebody presented a validator of a device that was used before: the cookie was copied. All devices
 * of the user are dropped by then. Read-only.
 */
export class Theft {
  /** Whose device it is. */
  readonly user: string
  /** The series that the validator belonged to. */
  readonly selector: string
  /** When it was noticed, epoch seconds. */
  readonly at: number

  constructor(user: string, selector: string, at: number) {
    this.user = user
    this.selector = selector
    this.at = at
    Object.freeze(this)
  }
}
