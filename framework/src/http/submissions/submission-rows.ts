import type { SessionSettings } from '../session/session-keeper.ts'
import { plainRow } from '../session/session-store.ts'
import type { SessionRow, StoredSession } from '../session/session-store.ts'

/** Where a submission is kept. */
export interface SubmissionSlot {
  /** Digest of its row. Several submissions of guests share one, so that they cannot fill the store. */
  readonly slot: string
  /** Digest of the submission, which reveals nothing of the form. */
  readonly digest: string
}

/** The right to handle a submission, which only one of several equal ones gets. */
export interface SubmissionClaim extends SubmissionSlot {
  /** That of its row. A row that somebody else has taken over has another one. */
  readonly revision: number
}

/** The state of a submission: not claimed, being handled, or its encrypted response. */
export type SubmissionProgress = null | 'pending' | { readonly sealed: string }

/**
 * Keeps the claims and responses of submissions in rows of the session store, so all workers share them. Each
 * method rejects if it cannot reach the store.
 */
export class SubmissionRows {
  readonly #settings: Pick<SessionSettings, 'store' | 'clock'>

  constructor(settings: Pick<SessionSettings, 'store' | 'clock'>) {
    this.#settings = settings
  }

  /**
   * Claims a submission for some seconds, unless the row holds the same one and it has not expired. Another
   * submission is replaced: it is no longer protected. Null if another request was first.
   */
  async take({ slot, digest }: SubmissionSlot, seconds: number): Promise<SubmissionClaim | null> {
    const { store } = this.#settings
    const row = this.#row(digest, '', seconds)
    // Only guests share rows: any other is not there yet, so nothing need be read.
    if (slot === digest && (await store.create(slot, row))) return { slot, digest, revision: 1 }
    const found = await store.read(slot)
    if (this.#progressIn(found, digest) !== null) return null
    const revision = found?.revision ?? 0
    const isTaken =
      found === null ? await store.create(slot, row) : await store.save(slot, revision, row, slot)
    return isTaken ? { slot, digest, revision: revision + 1 } : null
  }

  async look({ slot, digest }: SubmissionSlot): Promise<SubmissionProgress> {
    return this.#progressIn(await this.#settings.store.read(slot), digest)
  }

  /** Stores the response for some seconds, if the row is still that of the claim. */
  async record(claim: SubmissionClaim, sealed: string, seconds: number): Promise<void> {
    const { slot, digest, revision } = claim
    await this.#settings.store.save(slot, revision, this.#row(digest, sealed, seconds), slot)
  }

  /** Gives up a claim, so that the same submission can be sent again. */
  async release({ slot, revision }: SubmissionClaim): Promise<void> {
    await this.record({ slot, revision, digest: '' }, '', 0)
  }

  #row(digest: string, sealed: string, seconds: number): SessionRow {
    const now = this.#now()
    return plainRow(`${digest} ${now + seconds} ${sealed}`, now, seconds)
  }

  #progressIn(row: StoredSession | null, digest: string): SubmissionProgress {
    const [kept, expires, sealed = ''] = row?.data.split(' ') ?? []
    if (kept !== digest || Number(expires) <= this.#now()) return null
    return sealed === '' ? 'pending' : { sealed }
  }

  #now(): number {
    return Math.floor(this.#settings.clock())
  }
}
