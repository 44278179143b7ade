import { epochSeconds } from '../../base/time/epoch-seconds.ts'
import type {
  SubmissionClaim,
  SubmissionProgress,
  SubmissionSlot,
  SubmissionStore,
  SubmissionTimes,
} from './submission-store.ts'

interface Entry {
  readonly digest: string
  readonly claim: string
  readonly sealed: string
  readonly expires: number
}

/** Submissions in this process: for tests, and for a server of one process. */
export class MemorySubmissions implements SubmissionStore {
  readonly #entries = new Map<string, Entry>()

  async take(
    { slot, digest }: SubmissionSlot,
    claim: string,
    { now, expires }: SubmissionTimes,
  ): Promise<boolean> {
    const found = this.#entries.get(slot)
    if (found !== undefined && found.digest === digest && found.expires > now) return false
    this.#entries.set(slot, { digest, claim, sealed: '', expires })
    return true
  }

  async look({ slot, digest }: SubmissionSlot, now: number): Promise<SubmissionProgress> {
    const found = this.#entries.get(slot)
    if (found === undefined || found.digest !== digest || found.expires <= now) return null
    return found.sealed === '' ? 'pending' : { sealed: found.sealed }
  }

  async record(
    { slot, claim }: SubmissionClaim,
    sealed: string,
    { expires }: SubmissionTimes,
  ): Promise<void> {
    const found = this.#entries.get(slot)
    if (found?.claim === claim) this.#entries.set(slot, { ...found, sealed, expires })
  }

  async release({ slot, claim }: SubmissionClaim): Promise<void> {
    if (this.#entries.get(slot)?.claim === claim) this.#entries.delete(slot)
  }

  async sweep(now: number = epochSeconds()): Promise<number> {
    const before = this.#entries.size
    for (const [slot, { expires }] of this.#entries) {
      if (expires <= now) this.#entries.delete(slot)
    }
    return before - this.#entries.size
  }
}
