import { ConfigurationError } from '../../base/errors.ts'
import type { ErrorCode } from '../../base/error-codes.ts'
import { SessionEnded } from '../session-ended.ts'
import { ErrorFormats, errorFormatOf } from '../../http/errors/error-format.ts'
import { HttpError } from '../../http/errors/http-error.ts'
import { statusResponse } from '../../http/errors/status-response.ts'
import type { Request } from '../../http/request/request.ts'
import { Response } from '../../http/response/response.ts'
import { mapResponse } from '../../http/router/middleware.ts'
import type {
  Middleware,
  MiddlewareObject,
  MiddlewareOutcome,
  Next,
} from '../../http/router/middleware.ts'
import { Phases } from '../../http/router/phases.ts'
import type { MiddlewarePhase } from '../../http/router/phases.ts'
import type { ServerHost } from '../../http/server/server-host.ts'
import { challengeHeader, singleGuards } from './authenticating.ts'
import type { Guard } from './guard.ts'
import { storeIntended } from './intended.ts'
import { SignInRequired } from './require-identity.ts'

/** Options of `Authentication`. */
export interface AuthenticationOptions {
  /**
   * Responds to guests who asked for a page: `(request, response) => response.redirect('/login')`.
   * Anything but a redirect becomes a 401.
   */
  readonly fallback?: (request: Request, response: Response) => unknown
  /**
   * Asked about each signed-in user: a response takes the place of that of the route, null lets them through. See
   * `HasFactor.admit`. @default everybody is let through
   */
  readonly admit?: (request: Request, response: Response) => Response | null
}

/**
 * Lets signed-in users through to the route. Guests are redirected by the fallback, and the URI they
 * asked for is kept in the session as `intended`; guests who asked for JSON get a 401. Responses are
 * `Cache-Control: no-store` unless the handler sets that header. Use it on routes, inside `Sessions`.
 */
export class Authentication implements MiddlewareObject {
  /** It needs no body. */
  readonly phase: MiddlewarePhase = Phases.Guard
  /**
   * Lets guests through, too: `middlewares: [signedIn.optional]`. The handler sees who is signed in, if
   * anybody. If it asks a policy with `allow`, guests are redirected by the fallback.
   */
  readonly optional: MiddlewareObject
  readonly #guard: Guard
  readonly #fallback: ((request: Request, response: Response) => unknown) | null
  readonly #admit: AuthenticationOptions['admit']
  readonly #challengeHeader: string

  /** @throws InvalidArgumentException for a scheme or realm that does not fit into a header. */
  constructor(guard: Guard, { fallback, admit }: AuthenticationOptions = {}) {
    this.#admit = admit
    this.#guard = guard
    this.#fallback = fallback ?? null
    this.#challengeHeader = challengeHeader(guard)
    // No `Authentication`: behind it, guards that need a signed-in user do not start.
    this.optional = {
      phase: this.phase,
      label: 'OptionalAuthentication',
      process: (request, response, next) => this.#passAnybody(request, response, next),
      finish: (request, response) => this.finish(request, response),
      attach: (server) => this.attach(server),
      join: (outer) => this.join(outer),
    }
  }

  /** The guards that are asked, in their order. */
  get guards(): readonly Guard[] {
    return singleGuards(this.#guard)
  }

  process(request: Request, response: Response, next: Next): Response | Promise<Response> {
    const isKnown = this.#guard.authenticate(request, response)
    if (isKnown instanceof Promise) return this.#await(isKnown, request, response, next)
    return isKnown ? this.#passOn(request, response, next) : this.#turnAway(request, response)
  }

  finish(request: Request, response: Response): void {
    this.#guard.finish?.(request, response)
  }

  attach(server: ServerHost): void {
    this.#guard.attach?.(server)
  }

  join(outer: readonly Middleware[]): void {
    this.#guard.join?.(outer)
  }

  async #await(
    isKnown: Promise<boolean>,
    request: Request,
    response: Response,
    next: Next,
  ): Promise<Response> {
    return (await isKnown)
      ? this.#passOn(request, response, next)
      : this.#turnAway(request, response)
  }

  // A session that has ended since its request was let in is that of a guest.
  #passOn(request: Request, response: Response, next: Next): Response | Promise<Response> {
    const refused = this.#admit?.(request, response) ?? null
    if (refused !== null) return refused
    const passed = passOn(response, next)
    if (!(passed instanceof Promise)) return passed
    return passed.catch((error: unknown) => {
      if (error instanceof SessionEnded) return this.#turnAway(request, response)
      throw error
    })
  }

  async #passAnybody(request: Request, response: Response, next: Next): Promise<Response> {
    const isKnown = await this.#guard.authenticate(request, response)
    try {
      return await (isKnown ? passOn(response, next) : next())
    } catch (error) {
      const isGuest = error instanceof SignInRequired || error instanceof SessionEnded
      if (isGuest) return this.#turnAway(request, response)
      throw error
    }
  }

  async #turnAway(request: Request, response: Response): Promise<Response> {
    if (this.#guard.defers?.(request) === true) throw tooEarly()
    const wantsPage = errorFormatOf(request) === ErrorFormats.Page
    if (this.#fallback === null || !wantsPage) {
      return statusResponse(request, this.#challenge(response), 401)
    }
    const returned = await this.#fallback(request, response)
    const result = returned instanceof Response ? returned : response
    if (returned !== undefined && result !== returned) response.send(returned)
    if (isRedirect(result)) {
      storeIntended(request)
      return result
    }
    const isEmpty = (result.body ?? null) === null
    this.#challenge(result)
    return isEmpty ? statusResponse(request, result, 401) : result
  }

  #challenge(response: Response): Response {
    return response.status(401).header('WWW-Authenticate', this.#challengeHeader)
  }
}

/** A guard that looks at signed-in users. It needs no body, so whoever is refused has uploaded nothing. */
export abstract class UserGuard implements MiddlewareObject {
  readonly phase: MiddlewarePhase = Phases.Guard
  readonly #code: ErrorCode
  readonly #needed: string

  /** The code and the text of the error if `Authentication` is not before it. */
  constructor(code: ErrorCode, needed: string) {
    this.#code = code
    this.#needed = needed
  }

  /** @throws ConfigurationError without `Authentication` before it. */
  join(outer: readonly Middleware[]): void {
    if (outer.some((middleware) => middleware instanceof Authentication)) return
    throw new ConfigurationError(this.#code, this.#needed)
  }

  abstract process(request: Request, response: Response, next: Next): MiddlewareOutcome
}

// The browser would keep a redirect to the sign-in page and show it to a user who is remembered. After
// a 425 it sends the request again when the user really opens the page.
function tooEarly(): HttpError {
  return new HttpError(
    425,
    'a remembered user is signed in when the page is opened, not prefetched',
  )
}

// The response is private, and must not reappear with the Back button after signing out.
function passOn(response: Response, next: Next): Response | Promise<Response> {
  // A cookie set by the guard may have set the header already; only the handler's choice counts.
  const before = response.headers.get('Cache-Control')
  return mapResponse(next(), (result) => {
    const isUnset = result.headers.get('Cache-Control') === before
    return isUnset ? result.header('Cache-Control', 'no-store') : result
  })
}

function isRedirect({ code, headers }: Response): boolean {
  // Browsers show a blank page for an empty Location.
  return code >= 300 && code < 400 && (headers.get('Location') ?? '').trim() !== ''
}
