import { randomBytes } from 'node:crypto'
import { setTimeout as sleep } from 'node:timers/promises'
import type { Sessions } from '../session/sessions.ts'
import type { Request } from '../request/request.ts'
import type { Response } from '../response/response.ts'
import { mapResponse } from '../router/map-response.ts'
import type { MiddlewareObject, Next } from '../router/middleware.ts'
import type { ServerHost } from '../server/server-host.ts'
import { alreadySent } from './already-sent.ts'
import { LimitedSubmission } from './limited-submission.ts'
import {
  boundCookies,
  replayResponse,
  captureResponse,
  keepFlashes,
  openResponse,
  presents,
  sealResponse,
} from './recorded-response.ts'
import type { ReplayableResponse, RecordedResponse } from './recorded-response.ts'
import { MemorySubmissions } from './memory-submissions.ts'
import { guestPlace, isSubmission, ownPlace, submissionKey } from './submission-key.ts'
import type { SubmissionKey } from './submission-key.ts'
import type {
  SubmissionClaim,
  SubmissionProgress,
  SubmissionPlace,
  SubmissionStore,
  SubmissionTimes,
} from './submission-store.ts'

/** Options of `Submissions`. Times are seconds. */
export interface SubmissionsOptions {
  /**
   * How long after the response a repeat is recognised.
   * @default 10
   */
  readonly window?: number
  /**
   * How long a repeat waits for the first response.
   * @default 10
   */
  readonly wait?: number
  /**
   * Where submissions are kept.
   * @default that of the session store; if it has none, the memory of each process
   */
  readonly store?: SubmissionStore
}

/** A submission that this request handles. */
interface Pending {
  readonly key: SubmissionKey
  readonly claim: SubmissionClaim
  readonly isGuest: boolean
  /** Digest of the session it came with. */
  readonly session: string | null
  /** Undefined until there is a response, null for one that cannot be replayed. */
  response?: ReplayableResponse | null
}

/** Seconds after which a claim without a response is abandoned. */
const claimLifetime = 60

/** Characters of an encrypted response that are kept for a guest. */
const maxGuestRecord = 8192

/** Pauses of a repeat that polls for the first response. */
const firstPauseMs = 20
const maxPauseMs = 200

/** Claims between two sweeps of one process. */
const sweepInterval = 100

const handledBy = new WeakMap<Request, Submissions>()

/**
 * Handles a form that is submitted twice, such as by a double click, only once: the repeat gets the
 * response of the first, with its cookies. Use it outside `Sessions`; it needs `Csrf`, which calls it
 * after checking the token. While the first is being handled, a repeat does not count in rate limits.
 */
export class Submissions implements MiddlewareObject {
  readonly #sessions: Sessions
  readonly #store: SubmissionStore
  readonly #window: number
  readonly #waitMs: number
  readonly #pending = new WeakMap<Request, Pending>()
  readonly #writing = new Set<Promise<unknown>>()
  #taken = 0
  #prepareErrorPage: ServerHost['prepareErrorPage'] = null

  constructor(sessions: Sessions, { window = 10, wait = 10, store }: SubmissionsOptions = {}) {
    this.#sessions = sessions
    this.#store = store ?? sessions.settings.store.submissions?.() ?? new MemorySubmissions()
    this.#window = window
    this.#waitMs = wait * 1000
  }

  /** The middleware that a request has passed; null if there is none or it is not a submission. */
  static of(request: Request): Submissions | null {
    return handledBy.get(request) ?? null
  }

  attach({ onClose, prepareErrorPage }: Pick<ServerHost, 'onClose' | 'prepareErrorPage'>): void {
    this.#prepareErrorPage = prepareErrorPage
    // Writes after the last responses need the store, which is closed next.
    onClose(() => Promise.all(this.#writing))
  }

  process(request: Request, response: Response, next: Next): Response | Promise<Response> {
    if (!isSubmission(request)) return next()
    handledBy.set(request, this)
    const before = [...response.headers]
    return mapResponse(next(), (result) => {
      const pending = this.#pending.get(request)
      // Here rather than in `finish`, before an outer middleware compresses the body.
      if (pending !== undefined) pending.response = captureResponse(result, before)
      return result
    })
  }

  /** Here rather than in `process`, because the session cookie is known now. Not awaited. */
  finish(request: Request, response: Response): void {
    const pending = this.#pending.get(request)
    if (pending === undefined) return
    this.#pending.delete(request)
    this.#write(this.#recordResponse(request, response, pending))
  }

  /** Handles a submission with a valid token: the first one by `run`, a repeat by the first response. */
  async runOnce(
    request: Request,
    response: Response,
    run: () => Response | Promise<Response>,
  ): Promise<Response> {
    const key = await submissionKey(request)
    if (key === null) return run()
    const { session, peer } = request
    const isGuest = await session.isGuest()
    const place = isGuest ? guestPlace(key, peer) : ownPlace(key)
    const endMs = performance.now() + this.#waitMs
    for (;;) {
      const claim = await this.#take(place)
      if (claim === 'failed') return run()
      if (claim !== null) {
        this.#pending.set(request, { key, claim, isGuest, session: session.digest })
        return run()
      }
      const recorded = await this.#awaitRecord(request, key, [place], endMs)
      // The first one has failed, so this one may try.
      if (recorded === null && performance.now() < endMs) continue
      if (recorded === null || recorded === 'pending') return this.#refuseRepeat(request, response)
      return presents(request, recorded) ? this.#repeat(request, response, recorded) : run()
    }
  }

  /**
   * The first response, for a repeat whose token is invalid because the first request gave the session
   * a new id. Null if there is none for this visitor.
   */
  async repeated(request: Request, response: Response): Promise<Response | null> {
    const key = await submissionKey(request)
    if (key === null) return null
    const endMs = performance.now() + this.#waitMs
    // It may have come from a guest who has signed in since, or from somebody who has signed out.
    const places = [ownPlace(key), guestPlace(key, request.peer)]
    const recorded = await this.#awaitRecord(request, key, places, endMs)
    if (recorded === null || recorded === 'pending') return null
    if (LimitedSubmission.of(request)?.isRefused === true) return null
    return presents(request, recorded) ? this.#repeat(request, response, recorded) : null
  }

  /** Null if another request has the claim; `failed` if the store is unreachable. */
  async #take(place: SubmissionPlace): Promise<SubmissionClaim | null | 'failed'> {
    this.#taken += 1
    if (this.#taken % sweepInterval === 0) this.#write(this.#store.sweep(this.#now()))
    const claim = randomBytes(16).toString('hex')
    try {
      const isTaken = await this.#store.take(place, claim, this.#times(claimLifetime))
      return isTaken ? { slot: place.slot, claim } : null
    } catch (error) {
      this.#sessions.settings.report(error)
      return 'failed'
    }
  }

  async #awaitRecord(
    request: Request,
    key: SubmissionKey,
    places: readonly SubmissionPlace[],
    endMs: number,
  ): Promise<RecordedResponse | 'pending' | null> {
    for (let pauseMs = firstPauseMs; ; pauseMs = Math.min(pauseMs * 1.5, maxPauseMs)) {
      const progress = await this.#look(places)
      if (progress === null) return null
      if (progress !== 'pending') return openResponse(key, progress.sealed)
      const limited = LimitedSubmission.of(request)
      if (limited !== null) limited.isConcurrent = true
      if (request.gone || performance.now() > endMs) return progress
      await sleep(pauseMs)
    }
  }

  // If the store fails, it may have recovered at the next attempt.
  async #look(places: readonly SubmissionPlace[]): Promise<SubmissionProgress> {
    try {
      for (const place of places) {
        const progress = await this.#store.look(place, this.#now())
        if (progress !== null) return progress
      }
      return null
    } catch (error) {
      this.#sessions.settings.report(error)
      return 'pending'
    }
  }

  async #recordResponse(
    { cookies, openedSession }: Request,
    { code, headers }: Response,
    { key, claim, isGuest, session, response }: Pending,
  ): Promise<void> {
    // A failed request has saved nothing, and sending the form again should work.
    if (response === undefined || code >= 500) return this.#store.release(claim)
    const lines = headers.all('Set-Cookie')
    const sessions = [session, openedSession?.digest ?? null].filter((digest) => digest !== null)
    const recorded = {
      response: response === null ? null : { ...response, cookies: lines },
      sessions,
      cookies: boundCookies(cookies, lines, this.#sessions.cookieName),
      flashes: keepFlashes(openedSession?.flashed ?? {}),
    }
    const sealed = sealResponse(key, recorded)
    const isKept = !isGuest || sealed.length <= maxGuestRecord
    const smaller = { ...recorded, response: null, flashes: {} }
    const times = this.#times(this.#window)
    return this.#store.record(claim, isKept ? sealed : sealResponse(key, smaller), times)
  }

  #write(work: Promise<unknown>): void {
    const writing = work
      .catch(this.#sessions.settings.report)
      .finally(() => this.#writing.delete(writing))
    this.#writing.add(writing)
  }

  // Nothing this request writes may override the first response, except that the first one's flashes are
  // flashed again: a page that the browser never showed may have taken them.
  async #repeat(
    request: Request,
    response: Response,
    { response: first, flashes }: RecordedResponse,
  ): Promise<Response> {
    if (first === null) return this.#refuseRepeat(request, response)
    LimitedSubmission.of(request)?.giveBack()
    const { session } = request
    // Those of a guest are in the cookie of the first response.
    if (await session.isLive()) {
      for (const [key, value] of Object.entries(flashes)) session.flash(key, value)
    } else session.discardWrites()
    return replayResponse(response, first)
  }

  #times(seconds: number): SubmissionTimes {
    const now = this.#now()
    return { now, expires: now + seconds }
  }

  #now(): number {
    return Math.floor(this.#sessions.settings.clock())
  }

  #refuseRepeat(request: Request, response: Response): Promise<Response> {
    LimitedSubmission.of(request)?.giveBack()
    return alreadySent(request, response, this.#prepareErrorPage)
  }
}
