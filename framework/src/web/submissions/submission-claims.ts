import type { SessionRow, SessionStore, StoredSession } from '../session/session-store.ts'

/** Seconds after which a claim without a response is abandoned. */
const claimLifetime = 60

/** The right to handle a submission, which only one of several equal ones gets. */
export interface Claim {
  readonly digest: string
  readonly revision: number
}

/** The state of a submission: not claimed, being handled, or its encrypted response. */
export type Progress = null | 'pending' | { readonly sealed: string }

/** Times are seconds. */
export interface SubmissionClaimsOptions {
  readonly store: SessionStore
  /** How long a response is kept. */
  readonly window: number
  readonly clock: () => number
}

/**
 * Claims and responses of submissions, kept in the session store because all workers share it. Their
 * rows cannot be used as sessions, since no id has their digest; they are swept with the others.
 */
export class SubmissionClaims {
  readonly #store: SessionStore
  readonly #window: number
  readonly #clock: () => number

  constructor({ store, window, clock }: SubmissionClaimsOptions) {
    this.#store = store
    this.#window = window
    this.#clock = clock
  }

  /** Null if another request has the claim. */
  async take(digest: string): Promise<Claim | null> {
    const row = this.#row('', claimLifetime)
    if (await this.#store.create(digest, row)) return { digest, revision: 1 }
    const found = await this.#store.read(digest)
    if (found === null || this.#progress(found) !== null) return null
    // Expired, but not swept yet.
    const isTaken = await this.#store.save(digest, found.revision, row, digest)
    return isTaken ? { digest, revision: found.revision + 1 } : null
  }

  async look(digest: string): Promise<Progress> {
    return this.#progress(await this.#store.read(digest))
  }

  /** Stores the response of the request with the claim. */
  async record({ digest, revision }: Claim, sealed: string): Promise<void> {
    await this.#store.save(digest, revision, this.#row(sealed, this.#window), digest)
  }

  /** Gives up a claim, so that the same submission can be sent again. */
  async release({ digest }: Claim): Promise<void> {
    await this.#store.destroy(digest)
  }

  #progress(found: StoredSession | null): Progress {
    if (found === null) return null
    const { data: sealed, used } = found
    if (used + (sealed === '' ? claimLifetime : this.#window) <= this.#now()) return null
    return sealed === '' ? 'pending' : { sealed }
  }

  #row(data: string, lifetime: number): SessionRow {
    const now = this.#now()
    return {
      data,
      identity: null,
      device: null,
      created: now,
      used: now,
      expires: now + lifetime,
      agent: '',
      peer: '',
    }
  }

  #now(): number {
    return Math.floor(this.#clock())
  }
}
