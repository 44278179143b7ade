import type { SessionRow, SessionStore, StoredSession } from '../session/session-store.ts'

/** Seconds after which a claim that nobody has answered is taken for dead. */
const claimLife = 60

/** The right to answer a submission, which one of several equal ones has. */
export interface Claim {
  readonly digest: string
  readonly revision: number
}

/** What became of a submission so far: nothing, something is under way, or an answer, sealed. */
export type Progress = null | 'under way' | { readonly sealed: string }

/** Where claims are kept, and for how long. Times are seconds. */
export interface SubmissionClaimsOptions {
  readonly store: SessionStore
  /** How long an answer is kept. */
  readonly window: number
  readonly clock: () => number
}

/**
 * Who answers a submission, and what the answer was, in rows of the store of sessions: all workers
 * share that already. Such a row is of nobody and is no session, since no id has its digest; it is
 * swept with the others.
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

  /** Null when another one has it. */
  async take(digest: string): Promise<Claim | null> {
    const row = this.#row('', claimLife)
    if (await this.#store.create(digest, row)) return { digest, revision: 1 }
    const found = await this.#store.read(digest)
    if (found === null || this.#progress(found) !== null) return null
    // It is over, but was not swept yet.
    const isTaken = await this.#store.save(digest, found.revision, row, digest)
    return isTaken ? { digest, revision: found.revision + 1 } : null
  }

  async look(digest: string): Promise<Progress> {
    return this.#progress(await this.#store.read(digest))
  }

  /** Keeps the answer of who has the claim. */
  async record({ digest, revision }: Claim, sealed: string): Promise<void> {
    await this.#store.save(digest, revision, this.#row(sealed, this.#window), digest)
  }

  /** Gives a claim back, for the next one that sends the same. */
  async release({ digest }: Claim): Promise<void> {
    await this.#store.destroy(digest)
  }

  #progress(found: StoredSession | null): Progress {
    if (found === null) return null
    const { data: sealed, used } = found
    if (used + (sealed === '' ? claimLife : this.#window) <= this.#now()) return null
    return sealed === '' ? 'under way' : { sealed }
  }

  #row(data: string, life: number): SessionRow {
    const now = this.#now()
    return {
      data,
      identity: null,
      device: null,
      created: now,
      used: now,
      expires: now + life,
      agent: '',
      peer: '',
    }
  }

  #now(): number {
    return Math.floor(this.#clock())
  }
}
