import type { HttpError } from '../errors/http-error.ts'
import type { SubmissionClaim } from './submission-rows.ts'

/** Identifies a submission. */
export interface SubmissionKey {
  /** It is stored under this digest, which reveals nothing of the form. */
  readonly digest: string
  /** The masked CSRF token of the page; never stored. */
  readonly token: string
}

/** A submission that this request handles. */
export interface ClaimedSubmission extends SubmissionClaim {
  readonly key: SubmissionKey
  readonly isGuest: boolean
  /** Digest of the session it came with. */
  readonly session: string | null
  /** Whether the handler has responded, rather than failed. */
  isHandled: boolean
}

/**
 * A form that may turn out, once its body is read, to be the second one of a double click, as
 * `request.submission`. It then gets the first response, so rate limits neither count nor refuse it. A
 * repeat that comes after that response is counted: otherwise a form could be sent for ever.
 */
export class Submission {
  readonly #hits: (() => unknown)[] = []
  #refusal: HttpError | null = null
  /** Whether it may still turn out to be a repeat: false once its form was compared with others. */
  isOpen = true
  /** Whether the first one was still being handled. */
  isConcurrent = false
  /** Null unless this request handles it. */
  claimed: ClaimedSubmission | null = null

  /** Whether a limit refused it, and it is not part of a double click as far as known. */
  get isRefused(): boolean {
    return this.#refusal !== null && !this.isConcurrent
  }

  /** Adds a hit that a limit has counted; `release` takes it back. */
  count(release: () => unknown): void {
    this.#hits.push(release)
  }

  /** Refuses it unless it is a repeat. */
  refuse(refusal: HttpError): void {
    this.#refusal = refusal
  }

  /** @throws HttpError 429 if a limit refused it. */
  enforce(): void {
    if (this.#refusal !== null) throw this.#refusal
  }

  /** Takes back all hits of a double click. */
  giveBack(): void {
    if (!this.isConcurrent) return
    for (const release of this.#hits.splice(0)) release()
  }
}
