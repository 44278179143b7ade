import type { HttpError } from '../errors/http-error.ts'
import type { Request } from '../request/request.ts'

const known = new WeakMap<Request, LimitedSubmission>()

/**
 * What rate limits have decided about a form that may turn out, once its body is read, to be the second
 * one of a double click. It gets the first response, so it is neither counted nor refused. A repeat that
 * comes after that response is: otherwise a form could be sent for ever.
 */
export class LimitedSubmission {
  readonly #hits: (() => unknown)[] = []
  #refusal: HttpError | null = null
  /** Whether the first one was still being handled. */
  isConcurrent = false

  /** Called by `Csrf`, which later calls `enforce` unless the form is a repeat. */
  static expect(request: Request): void {
    known.set(request, new LimitedSubmission())
  }

  /** Null for a request that cannot be a repeat. */
  static of(request: Request): LimitedSubmission | null {
    return known.get(request) ?? null
  }

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
