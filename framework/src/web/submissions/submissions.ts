import { setTimeout as sleep } from 'node:timers/promises'
import type { Sessions } from '../session/sessions.ts'
import type { Request } from '../request/request.ts'
import type { Response } from '../response/response.ts'
import { mapResponse } from '../router/map-response.ts'
import type { MiddlewareObject, Next } from '../router/middleware.ts'
import type { ServerHost } from '../server/server-host.ts'
import { alreadySent } from './already-sent.ts'
import {
  boundCookies,
  giveAgain,
  keepAnswer,
  keepFlashes,
  openAnswer,
  presents,
  sealAnswer,
} from './recorded-answer.ts'
import type { KeptAnswer, RecordedAnswer } from './recorded-answer.ts'
import { SubmissionClaims } from './submission-claims.ts'
import type { Claim, Progress } from './submission-claims.ts'
import { isSubmission, submissionKey } from './submission-key.ts'
import type { SubmissionKey } from './submission-key.ts'

/** For how long equal submissions are one. Times are seconds. */
export interface SubmissionsOptions {
  /** How long after its answer a submission is known again. @default 10 */
  readonly window?: number
  /** How long a repeat waits for the answer of the first. @default 10 */
  readonly wait?: number
}

/** A submission that is being answered here. */
interface UnderWay {
  readonly key: SubmissionKey
  readonly claim: Claim
  /** Undefined until the answer is there, null for one that cannot be kept. */
  answer?: KeptAnswer | null
}

/** How often a repeat looks for the answer of the first, and how that grows. */
const firstPauseMs = 20
const maxPauseMs = 200

/** Claims between two sweeps of one process. */
const sweepInterval = 100

const handledBy = new WeakMap<Request, Submissions>()

/**
 * Makes the second of two equal submissions of a form harmless: it gets the answer of the first, its
 * cookies too, and nothing is done twice. It stands outside of `Sessions` and works with `Csrf`,
 * which asks it once the token of a request is known.
 */
export class Submissions implements MiddlewareObject {
  readonly #sessions: Sessions
  readonly #claims: SubmissionClaims
  readonly #waitMs: number
  readonly #underWay = new WeakMap<Request, UnderWay>()
  readonly #writing = new Set<Promise<unknown>>()
  #taken = 0
  #prepareErrorPage: ServerHost['prepareErrorPage'] = null

  constructor(sessions: Sessions, { window = 10, wait = 10 }: SubmissionsOptions = {}) {
    const { store, clock } = sessions.settings
    this.#sessions = sessions
    this.#claims = new SubmissionClaims({ store, window, clock })
    this.#waitMs = wait * 1000
  }

  /** The one that a request has passed; null if it is no submission, or there is none. */
  static of(request: Request): Submissions | null {
    return handledBy.get(request) ?? null
  }

  attach({ onClose, prepareErrorPage }: Pick<ServerHost, 'onClose' | 'prepareErrorPage'>): void {
    this.#prepareErrorPage = prepareErrorPage
    // What is written behind the last answers needs the store that is closed next.
    onClose(() => Promise.all(this.#writing))
  }

  process(request: Request, response: Response, next: Next): Response | Promise<Response> {
    if (!isSubmission(request)) return next()
    handledBy.set(request, this)
    const before = [...response.headers]
    return mapResponse(next(), (answer) => {
      const underWay = this.#underWay.get(request)
      // Here and not in `finish`: what stands outside may yet compress the body.
      if (underWay !== undefined) underWay.answer = keepAnswer(answer, before)
      return answer
    })
  }

  /** Here the cookie of the session is known. Nobody waits for what is written. */
  finish(request: Request, response: Response): void {
    const underWay = this.#underWay.get(request)
    if (underWay === undefined) return
    this.#underWay.delete(request)
    this.#write(this.#conclude(request, response, underWay))
  }

  /**
   * Answers a submission whose token is good: by `run` if it is the first of its kind, and else by the
   * answer of the first.
   */
  async answerOnce(
    request: Request,
    response: Response,
    run: () => Response | Promise<Response>,
  ): Promise<Response> {
    const key = await submissionKey(request)
    if (key === null) return run()
    const endMs = performance.now() + this.#waitMs
    for (;;) {
      const claim = await this.#take(key)
      if (claim === 'failed') return run()
      if (claim !== null) {
        this.#underWay.set(request, { key, claim })
        return run()
      }
      const recorded = await this.#awaitRecord(request, key, endMs)
      // The first one has failed, so that this one may try.
      if (recorded === null && performance.now() < endMs) continue
      if (recorded === null || recorded === 'under way') return this.#refuseAgain(request, response)
      return presents(request.cookies, recorded) ? this.#repeat(request, response, recorded) : run()
    }
  }

  /**
   * The answer of an equal submission to one whose token is not good: the first one may have given the
   * session another id. Null when there is none that this visitor may have.
   */
  async repeated(request: Request, response: Response): Promise<Response | null> {
    const key = await submissionKey(request)
    if (key === null) return null
    const endMs = performance.now() + this.#waitMs
    const recorded = await this.#awaitRecord(request, key, endMs)
    if (recorded === null || recorded === 'under way') return null
    return presents(request.cookies, recorded) ? this.#repeat(request, response, recorded) : null
  }

  /** Null when another one has the claim. A form that cannot be claimed at all is handled as ever. */
  async #take(key: SubmissionKey): Promise<Claim | null | 'failed'> {
    this.#taken += 1
    if (this.#taken % sweepInterval === 0) this.#write(this.#sessions.sweep())
    try {
      return await this.#claims.take(key.digest)
    } catch (error) {
      this.#sessions.settings.report(error)
      return 'failed'
    }
  }

  async #awaitRecord(
    request: Request,
    key: SubmissionKey,
    endMs: number,
  ): Promise<RecordedAnswer | 'under way' | null> {
    for (let pauseMs = firstPauseMs; ; pauseMs = Math.min(pauseMs * 1.5, maxPauseMs)) {
      const progress = await this.#look(key)
      if (progress === null) return null
      if (progress !== 'under way') return openAnswer(key, progress.sealed)
      if (request.gone || performance.now() > endMs) return progress
      await sleep(pauseMs)
    }
  }

  // A store that fails may be back the next time.
  async #look(key: SubmissionKey): Promise<Progress> {
    try {
      return await this.#claims.look(key.digest)
    } catch (error) {
      this.#sessions.settings.report(error)
      return 'under way'
    }
  }

  async #conclude(
    { cookies, openedSession }: Request,
    { code, headers }: Response,
    { key, claim, answer }: UnderWay,
  ): Promise<void> {
    // A failure saves nothing, and sending the form again should work.
    if (answer === undefined || code >= 500) return this.#claims.release(claim)
    const lines = headers.all('Set-Cookie')
    const recorded = {
      answer: answer === null ? null : { ...answer, cookies: lines },
      cookies: boundCookies(cookies, lines, this.#sessions.cookieName),
      flashes: keepFlashes(openedSession?.flashed ?? {}),
    }
    return this.#claims.record(claim, sealAnswer(key, recorded))
  }

  #write(work: Promise<unknown>): void {
    const writing = work
      .catch(this.#sessions.settings.report)
      .finally(() => this.#writing.delete(writing))
    this.#writing.add(writing)
  }

  // The first answer has said it all, and nothing that this request writes may come after it: but what
  // the first one flashed, which may have been taken by a page that the browser never showed.
  async #repeat(
    request: Request,
    response: Response,
    { answer, flashes }: RecordedAnswer,
  ): Promise<Response> {
    if (answer === null) return this.#refuseAgain(request, response)
    const { session } = request
    if (await session.isLive()) {
      for (const [key, value] of Object.entries(flashes)) session.flash(key, value)
    } else session.discardWrites()
    return giveAgain(response, answer)
  }

  #refuseAgain(request: Request, response: Response): Promise<Response> {
    return alreadySent(request, response, this.#prepareErrorPage)
  }
}
