import { OverloadedError } from '../../base/errors.ts'

/** Limits what all uploads in flight take up on disk together. */
export interface UploadBudget {
  /** Takes bytes before they are written; false if there are not that many left. */
  take(bytes: number): boolean | Promise<boolean>
  /** Returns bytes that were taken, once they are removed. */
  give(bytes: number): void
}

/** The budget of one process. */
export class ProcessUploads implements UploadBudget {
  #left: number

  constructor(bytes: number) {
    this.#left = bytes
  }

  take(bytes: number): boolean {
    if (bytes > this.#left) return false
    this.#left -= bytes
    return true
  }

  give(bytes: number): void {
    this.#left += bytes
  }
}

/** Seconds after which a client may try again: most uploads in flight are over by then. */
const retryAfter = 10

/** What one form has taken from the budget. */
export class BudgetShare {
  readonly #budget: UploadBudget
  #taken = 0

  constructor(budget: UploadBudget) {
    this.#budget = budget
  }

  /** @throws OverloadedError if the uploads in flight leave no room. */
  async take(bytes: number): Promise<void> {
    if (!(await this.#budget.take(bytes))) {
      throw new OverloadedError('the uploads in flight take up the whole upload budget', retryAfter)
    }
    this.#taken += bytes
  }

  /** Returns everything; may be called again. */
  giveBack(): void {
    this.#budget.give(this.#taken)
    this.#taken = 0
  }
}
