/**
 * A used validator was presented again: the cookie was copied. By now all devices of the user have
 * been dropped. Read-only.
 */
export class Theft {
  /** The owner of the device. */
  readonly user: string
  /** The series that the validator belonged to. */
  readonly selector: string
  /** When it was detected, in epoch seconds. */
  readonly at: number

  constructor(user: string, selector: string, at: number) {
    this.user = user
    this.selector = selector
    this.at = at
    Object.freeze(this)
  }
}
