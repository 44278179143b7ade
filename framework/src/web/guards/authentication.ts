import { InvalidArgumentException } from '../../base/errors.ts'
import { ErrorFormats, errorFormat } from '../errors/error-format.ts'
import { HttpError } from '../errors/http-error.ts'
import { answerStatus } from '../errors/status-answer.ts'
import type { Request } from '../request/request.ts'
import { Response } from '../response/response.ts'
import { mapResponse } from '../router/map-response.ts'
import type { Middleware, MiddlewareObject, Next } from '../router/middleware.ts'
import type { Guard } from './guard.ts'
import { noteIntended } from './intended.ts'

/** What becomes of guests. */
export interface AuthenticationOptions {
  /**
   * Answers guests that want a page, as a handler does: `(request, response) =>
   * response.redirect('/login')`. Whatever is no redirect becomes a 401.
   */
  readonly fallback?: (request: Request, response: Response) => unknown
}

/**
 * Lets a request pass to its route if the guard knows who sends it. Guests are redirected by the
 * fallback, and where they wanted to go is kept in the session as `intended`; guests that want JSON
 * get a 401. What is behind it stays out of caches unless its handler says otherwise. It stands on
 * routes, inside `Sessions`.
 */
export class Authentication implements MiddlewareObject {
  readonly #guard: Guard
  readonly #fallback: ((request: Request, response: Response) => unknown) | null
  readonly #challenge: string

  /** @throws InvalidArgumentException for a realm that cannot stand in a header. */
  constructor(guard: Guard, { fallback }: AuthenticationOptions = {}) {
    this.#guard = guard
    this.#fallback = fallback ?? null
    this.#challenge = challengeOf(guard.realm ?? 'Protected area')
  }

  process(request: Request, response: Response, next: Next): Response | Promise<Response> {
    const verdict = this.#guard.authenticate(request, response)
    if (verdict instanceof Promise) return this.#await(verdict, request, response, next)
    return verdict ? passOn(response, next) : this.#turnAway(request, response)
  }

  join(outer: readonly Middleware[]): void {
    this.#guard.join?.(outer)
  }

  async #await(
    verdict: Promise<boolean>,
    request: Request,
    response: Response,
    next: Next,
  ): Promise<Response> {
    return (await verdict) ? passOn(response, next) : this.#turnAway(request, response)
  }

  async #turnAway(request: Request, response: Response): Promise<Response> {
    if (this.#guard.defers?.(request) === true) throw tooEarly()
    const wantsPage = errorFormat(request.header('accept')) === ErrorFormats.Page
    if (this.#fallback === null || !wantsPage) {
      return answerStatus(request, this.#challenged(response), 401)
    }
    const outcome = await this.#fallback(request, response)
    const answer = outcome instanceof Response ? outcome : response
    if (outcome !== undefined && answer !== outcome) response.send(outcome)
    if (isRedirect(answer)) {
      noteIntended(request)
      return answer
    }
    const isEmpty = (answer.body ?? null) === null
    this.#challenged(answer)
    return isEmpty ? answerStatus(request, answer, 401) : answer
  }

  /** Makes an answer a 401, whatever it was. */
  #challenged(response: Response): Response {
    return response.status(401).header('WWW-Authenticate', this.#challenge)
  }
}

// A redirect to the sign-in would be kept and shown to somebody who is known. Told no, the browser asks
// again once the page is wanted.
function tooEarly(): HttpError {
  return new HttpError(425, 'whoever is remembered is signed in once the page is wanted')
}

// The answer is for one person; and who signs out must not find it again by going back.
function passOn(response: Response, next: Next): Response | Promise<Response> {
  // A cookie of the guard has said something already; what the handler says is not the same.
  const before = response.headers.get('Cache-Control')
  return mapResponse(next(), (answer) => {
    const isUnsaid = answer.headers.get('Cache-Control') === before
    return isUnsaid ? answer.header('Cache-Control', 'no-store') : answer
  })
}

function isRedirect({ code, headers }: Response): boolean {
  // An empty one leads nowhere: browsers would show a blank page.
  return code >= 300 && code < 400 && (headers.get('Location') ?? '').trim() !== ''
}

/**
 * `Cookie` is no scheme that browsers know, which is the point: any that they know would make them ask
 * for a password in a window of their own.
 */
function challengeOf(realm: string): string {
  if (!/^[\x20-\x7e]*$/.test(realm)) {
    throw new InvalidArgumentException(
      'E_HEADER',
      'the realm stands in a header: write it in printable ASCII characters',
    )
  }
  return `Cookie realm="${realm.replace(/["\\]/g, String.raw`\$&`)}"`
}
