import { hash } from 'node:crypto'
import { setTimeout as sleep } from 'node:timers/promises'
import { networkOf } from '../../base/network.ts'
import { statusPage, statusView } from '../errors/status-response.ts'
import type { Sessions } from '../session/sessions.ts'
import { isSafe } from '../request/request.ts'
import type { Request } from '../request/request.ts'
import type { Response } from '../response/response.ts'
import { sendCookie } from '../response/set-cookie.ts'
import type { MiddlewareObject, Next } from '../router/middleware.ts'
import { Phases } from '../router/phases.ts'
import type { ServerHost } from '../server/server-host.ts'
import { isBrowserForm } from '../middlewares/csrf-origins.ts'
import { TokenRefused, tokenField, tokenHeader } from '../middlewares/csrf-token.ts'
import type { Form } from '../request/form.ts'
import { firstResponse, isFromSameVisitor, openResponse, sealResponse } from './first-response.ts'
import type { FirstResponse } from './first-response.ts'
import { Submission } from './submission.ts'
import type { ClaimedSubmission, SubmissionKey } from './submission.ts'
import { SubmissionRows } from './submission-rows.ts'
import type { SubmissionClaim, SubmissionProgress, SubmissionSlot } from './submission-rows.ts'

/** Options of `Submissions`. Times are seconds. */
export interface SubmissionsOptions {
  /** How long after the response a repeat is recognised. @default 10 */
  readonly window?: number
  /** How long a repeat waits for the first response. @default 10 */
  readonly wait?: number
}

/** A submission, with its request and the response to fill. */
interface Sent {
  readonly request: Request
  readonly response: Response
  readonly submission: Submission
}

/** Seconds after which a claim without a response is abandoned. */
const claimLifetime = 60

/** Pauses of a repeat that polls for the first response. */
const firstPauseMs = 20
const maxPauseMs = 200

/** Claims between two sweeps of one process. */
const sweepInterval = 100

/** Rows that the guests of one network share. */
const guestSlots = 8

const alreadySent = 'This form was already sent. Go back and reload the page to see the result.'

/**
 * Handles a form that is submitted twice, such as by a double click, only once: the repeat gets the
 * redirect of the first, with its cookies. Use it outside `Sessions`, with `Csrf` inside. While the first is being handled, a repeat does not count in rate limits.
 */
export class Submissions implements MiddlewareObject {
  readonly steps: readonly MiddlewareObject[] = [
    {
      // Limits must know that it may be a repeat.
      phase: Phases.Origin,
      label: 'Submissions',
      process: (request, _response, next) => {
        if (isSubmission(request)) request.submission = new Submission()
        return next()
      },
    },
    {
      phase: Phases.Once,
      label: 'Submissions',
      process: (request, response, next) => this.process(request, response, next),
    },
  ]
  readonly #sessions: Sessions
  readonly #rows: SubmissionRows
  readonly #window: number
  readonly #waitMs: number
  readonly #writing = new Set<Promise<unknown>>()
  #taken = 0
  #prepareErrorPage: ServerHost['prepareErrorPage'] = null

  constructor(sessions: Sessions, { window = 10, wait = 10 }: SubmissionsOptions = {}) {
    this.#sessions = sessions
    this.#rows = new SubmissionRows(sessions.settings)
    this.#window = window
    this.#waitMs = wait * 1000
  }

  attach({ onClose, prepareErrorPage }: Pick<ServerHost, 'onClose' | 'prepareErrorPage'>): void {
    this.#prepareErrorPage = prepareErrorPage
    // Writes after the last responses need the store, which is closed next.
    onClose(() => Promise.all(this.#writing))
  }

  /** Handles a submission whose token is valid: the first one by the handler, a repeat by its response. */
  process(request: Request, response: Response, next: Next): Response | Promise<Response> {
    const { submission } = request
    return submission === null ? next() : this.#runOnce({ request, response, submission }, next)
  }

  /** Here rather than in `process`, because the session cookie is known now. Not awaited. */
  finish(request: Request, response: Response): void {
    const { submission } = request
    const claimed = submission?.claimed ?? null
    if (submission === null || claimed === null) return
    submission.claimed = null
    this.#write(this.#record(request, response, claimed))
  }

  /**
   * The first response, for a repeat whose token is invalid because the first request gave the session
   * a new id. Null if there is none for this visitor.
   */
  async repeated(sent: Sent): Promise<Response | null> {
    const { request, submission } = sent
    const key = await submissionKey(request)
    if (key === null) return null
    const endMs = performance.now() + this.#waitMs
    // It may have come from a guest who has signed in since, or from somebody who has signed out.
    const first = await this.#awaitFirst(
      sent,
      key,
      [ownSlot(key), guestSlot(key, request.peer)],
      endMs,
    )
    if (first === null || first === 'pending' || submission.isRefused) return null
    return isFromSameVisitor(request, first) ? this.#repeat(sent, first) : null
  }

  async #runOnce(sent: Sent, next: Next): Promise<Response> {
    const { request, submission } = sent
    submission.enforce()
    submission.isOpen = false
    const key = await submissionKey(request)
    if (key === null) return next()
    const { session, peer } = request
    const isGuest = await session.isGuest()
    const slot = isGuest ? guestSlot(key, peer) : ownSlot(key)
    const endMs = performance.now() + this.#waitMs
    for (;;) {
      const claim = await this.#take(slot)
      if (claim === 'failed') return next()
      if (claim !== null) {
        const { digest } = session
        const claimed = { ...claim, key, isGuest, session: digest, isHandled: false }
        submission.claimed = claimed
        const result = await next()
        claimed.isHandled = true
        return result
      }
      const first = await this.#awaitFirst(sent, key, [slot], endMs)
      // The first one has failed, so this one may try.
      if (first === null && performance.now() < endMs) continue
      if (first === null || first === 'pending') return this.#refuseRepeat(sent)
      return isFromSameVisitor(request, first) ? this.#repeat(sent, first) : next()
    }
  }

  /** Null if another request has the claim; `failed` if the store is unreachable. */
  async #take(at: SubmissionSlot): Promise<SubmissionClaim | null | 'failed'> {
    this.#taken += 1
    if (this.#taken % sweepInterval === 0) this.#write(this.#sessions.sweep())
    try {
      return await this.#rows.take(at, claimLifetime)
    } catch (error) {
      this.#sessions.settings.report(error)
      return 'failed'
    }
  }

  async #awaitFirst(
    { request, submission }: Sent,
    key: SubmissionKey,
    slots: readonly SubmissionSlot[],
    endMs: number,
  ): Promise<FirstResponse | 'pending' | null> {
    for (let pauseMs = firstPauseMs; ; pauseMs = Math.min(pauseMs * 1.5, maxPauseMs)) {
      const progress = await this.#look(slots)
      if (progress === null) return null
      if (progress !== 'pending') return openResponse(key, progress.sealed)
      submission.isConcurrent = true
      if (request.gone || performance.now() > endMs) return progress
      await sleep(pauseMs)
    }
  }

  // If the store fails, it may have recovered at the next attempt.
  async #look(slots: readonly SubmissionSlot[]): Promise<SubmissionProgress> {
    try {
      for (const slot of slots) {
        const progress = await this.#rows.look(slot)
        if (progress !== null) return progress
      }
      return null
    } catch (error) {
      this.#sessions.settings.report(error)
      return 'pending'
    }
  }

  async #record(request: Request, response: Response, claimed: ClaimedSubmission): Promise<void> {
    const { key, isGuest, session, isHandled } = claimed
    // A failed request has saved nothing, and sending the form again should work.
    if (!isHandled || response.code >= 500) return this.#rows.release(claimed)
    const { cookieName: sessionCookie } = this.#sessions
    const first = firstResponse(request, response, { session, sessionCookie })
    const sealed = sealResponse(key, first, isGuest)
    return this.#rows.record(claimed, sealed, this.#window)
  }

  #write(work: Promise<unknown>): void {
    const writing = work
      .catch(this.#sessions.settings.report)
      .finally(() => this.#writing.delete(writing))
    this.#writing.add(writing)
  }

  // Nothing this request writes may override the first response, except that the first one's flashes are
  // flashed again: a page that the browser never showed may have taken them.
  async #repeat(sent: Sent, first: FirstResponse): Promise<Response> {
    const { request, response, submission } = sent
    const { status, location, refresh, cookies, flashes } = first
    for (const line of cookies) sendCookie(response, line)
    if (location === null && refresh === null) return this.#refuseRepeat(sent)
    submission.giveBack()
    const { session } = request
    // Those of a guest are in the cookie of the first response.
    if (await session.isLive()) {
      for (const [key, value] of Object.entries(flashes)) session.flash(key, value)
    } else session.discardWrites()
    if (location !== null) response.headers.set('Location', location)
    if (refresh !== null) response.headers.set('Refresh', refresh)
    response.headers.delete('Content-Type')
    response.replaceBody(null)
    return response.status(status)
  }

  /** Responds with 409: there is no first response yet, or it led nowhere. */
  async #refuseRepeat({ request, response, submission }: Sent): Promise<Response> {
    submission.giveBack()
    request.session.discardWrites()
    response.status(409).header('Cache-Control', 'no-store')
    if (response.hasView(statusView(409))) await this.#prepareErrorPage?.(request, response)
    return statusPage(request, response, { message: alreadySent })
  }
}

/**
 * Whether a double click may have sent this: a form submitted by a browser. Scripts, which send the
 * token in a header, are left alone.
 */
function isSubmission(request: Request): boolean {
  if (isSafe(request.method) || !request.hasBody) return false
  return request.header(tokenHeader) === undefined && isBrowserForm(request)
}

/**
 * The key of a submission; null if it has no token, or has files. Each rendered page has its own mask,
 * so two submissions with the same masked token and fields are a repeat from the same page.
 */
async function submissionKey(request: Request): Promise<SubmissionKey | null> {
  const form = await submittedForm(request)
  const token = form?.fields[tokenField] ?? ''
  if (form === null || token === '' || form.files.length > 0) return null
  const sent = JSON.stringify([request.method, request.URI, token, form.pairs])
  return { digest: hash('sha256', `form submission ${sent}`, 'hex'), token }
}

async function submittedForm(request: Request): Promise<Form | null> {
  try {
    return await request.form()
  } catch (error) {
    if (error instanceof TokenRefused) return null
    throw error
  }
}

/** Where the submission of somebody who has signed in is kept: in a row of its own. */
function ownSlot({ digest }: SubmissionKey): SubmissionSlot {
  return { slot: digest, digest }
}

/** Where the submission of a guest is kept: in one of the few rows of the guest's network. */
function guestSlot({ digest, token }: SubmissionKey, peer: string): SubmissionSlot {
  const number = Number.parseInt(hash('sha256', token, 'hex').slice(0, 8), 16) % guestSlots
  const slot = hash('sha256', `guest submission ${number} ${networkOf(peer)}`, 'hex')
  return { slot, digest }
}
