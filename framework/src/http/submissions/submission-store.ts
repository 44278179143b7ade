/** Where a submission is kept. */
export interface SubmissionSlot {
  /** The row. Several submissions of guests share one, so that they cannot fill the store. */
  readonly slot: string
  /** Digest of the submission, which reveals nothing of the form. */
  readonly digest: string
}

/** The right to handle a submission, which only one of several equal ones gets. */
export interface SubmissionClaim {
  readonly slot: string
  /** Random; identifies the request that has the claim. */
  readonly claim: string
}

/** Epoch seconds: from when and until when something counts. */
export interface SubmissionTimes {
  readonly now: number
  readonly expires: number
}

/** The state of a submission: not claimed, being handled, or its encrypted response. */
export type SubmissionProgress = null | 'pending' | { readonly sealed: string }

/**
 * Keeps the claims and responses of submissions, for all workers. Each method is atomic and rejects if
 * it cannot reach the store. Times are epoch seconds.
 */
export interface SubmissionStore {
  /**
   * Claims a submission, unless the slot holds the same submission and it has not
   * expired. Another submission is replaced: it is no longer protected. Returns whether it did.
   */
  take(at: SubmissionSlot, claim: string, times: SubmissionTimes): Promise<boolean>
  look(at: SubmissionSlot, now: number): Promise<SubmissionProgress>
  /** Stores the response, if the claim is still in its slot. */
  record(claim: SubmissionClaim, sealed: string, times: SubmissionTimes): Promise<void>
  /** Gives up a claim, so that the same submission can be sent again. */
  release(claim: SubmissionClaim): Promise<void>
  /** Deletes what has expired and returns how many; 0 for stores that expire keys. */
  sweep(now?: number): Promise<number>
}
