import { Environments } from '../../settings/environments.ts'
import { SecurityEvents, emitSecurityEvent } from '../security-events.ts'
import { Emitter } from '../../events/emitter.ts'
import { ErrorFormats, errorFormatOf } from '../errors/error-format.ts'
import { seesDetails } from '../errors/sees-details.ts'
import { bearerText } from '../request/bearer-text.ts'
import { isSafe } from '../request/request.ts'
import type { Values } from '../request/query.ts'
import type { Request } from '../request/request.ts'
import type { Response } from '../response/response.ts'
import { mapResponse } from '../router/map-response.ts'
import type { Middleware, MiddlewareObject, MiddlewareParts, Next } from '../router/middleware.ts'
import type { ServerHost } from '../server/server-host.ts'
import { LimitedSubmission } from '../submissions/limited-submission.ts'
import { isSubmission } from '../submissions/submission-key.ts'
import { Submissions } from '../submissions/submissions.ts'
import { CsrfOrigins } from './csrf-origins.ts'
import { CsrfPlaceholder } from './csrf-placeholder.ts'
import { isBrowserForm, refuseRequest, returnToForm } from './csrf-refusal.ts'
import type { ReturnOptions } from './csrf-refusal.ts'
import { carriesToken, requireTokenFirst } from './csrf-token.ts'

/** Options of `Csrf`. */
export interface CsrfOptions {
  /** Other trusted origins whose pages may send forms here, such as `https://admin.shop.example`. */
  readonly origins?: readonly string[]
  /**
   * Requests that need no token. Only for requests that are not authenticated by a cookie, such as
   * those of programs with a signature or an API key.
   */
  readonly except?: (request: Request) => boolean
}

/** The reason that is not about the origin. */
const missingToken = 'its token is missing or not that of its session'

type CsrfHost = Pick<ServerHost, 'emitter' | 'url' | 'environment' | 'prepareErrorPage'>

/** An unsafe request between the check of its origin and that of its token. */
interface Pending {
  readonly placeholder: CsrfPlaceholder
  readonly isExempt: boolean
  /** Whether the guards have let it through. */
  hasPassedGuards: boolean
}

/**
 * Refuses unsafe requests that do not come from a page of this site: they must have the token of their
 * session, in the form field `_token` or the header `X-CSRF-Token`, and no foreign origin. Views print
 * the field with `<%~ it.csrf %>`. Use it inside `Sessions`.
 *
 * The origin is checked before anything is counted or read. The token may be in the body, which is not
 * read for a request that a guard of the route refuses; so it is checked after them.
 */
export class Csrf implements MiddlewareObject {
  readonly verifiesForms: boolean = true
  readonly parts: MiddlewareParts = {
    screen: (request, response, next) => this.#screen(request, response, next),
    outer: (request, response, next) => this.#checkOrigin(request, response, next),
    inner: (request, response, next) => this.#checkToken(request, response, next),
  }
  readonly #origins: CsrfOrigins
  readonly #except: (request: Request) => boolean
  /** Only of responses with views: an entry for every response would be too slow. */
  readonly #placeholders = new WeakMap<Request, CsrfPlaceholder>()
  readonly #pending = new WeakMap<Request, Pending>()
  #hasSubmissions = false
  #isDevelopment = false
  #prepareErrorPage: ServerHost['prepareErrorPage'] = null
  #emitter: Emitter = Emitter.Instance

  /** @throws InvalidArgumentException for an invalid origin. */
  constructor({ origins = [], except = () => false }: CsrfOptions = {}) {
    this.#origins = new CsrfOrigins(origins)
    this.#except = except
  }

  attach({ emitter, url, environment, prepareErrorPage }: CsrfHost): void {
    this.#emitter = emitter
    this.#origins.own = url === null ? null : new URL(url).origin
    this.#isDevelopment = environment === Environments.Development
    this.#prepareErrorPage = prepareErrorPage
  }

  join(outer: readonly Middleware[]): void {
    this.#hasSubmissions ||= outer.some((middleware) => middleware instanceof Submissions)
  }

  /** Both checks in one place: for safe requests, and for code that calls it directly. */
  process(request: Request, response: Response, next: Next): Response | Promise<Response> {
    const inner = isSafe(request.method) ? next : () => this.#checkToken(request, response, next)
    return this.#checkOrigin(request, response, inner)
  }

  /** @throws HttpError 403 unless the token came before the first file, or in the header. */
  async beforeUpload(request: Request, fields: Values): Promise<void> {
    if (this.#except(request) || request.apiToken !== null) return
    await requireTokenFirst(request, fields)
  }

  /** For error pages, which are rendered outside the middleware chain. */
  finish(request: Request, response: Response): void {
    this.#placeholders.get(request)?.fillLate(response)
  }

  #screen(request: Request, response: Response, next: Next): Response | Promise<Response> {
    if (this.#except(request)) return next()
    const objection = this.#objection(request)
    if (objection !== null) {
      // There is no session yet.
      response.share({ csrf: '', csrfToken: '' })
      return this.#refuse(request, response, null, objection)
    }
    if (this.#hasSubmissions && isSubmission(request)) LimitedSubmission.expect(request)
    return next()
  }

  #checkOrigin(request: Request, response: Response, next: Next): Response | Promise<Response> {
    const placeholder = new CsrfPlaceholder(request)
    response.share(() => {
      this.#placeholders.set(request, placeholder)
      return placeholder.values()
    })
    if (isSafe(request.method)) return pass(placeholder, response, next)
    const isExempt = this.#except(request)
    const objection = isExempt ? null : this.#objection(request)
    if (objection !== null) return this.#refuse(request, response, placeholder, objection)
    const pending = { placeholder, isExempt, hasPassedGuards: false }
    this.#pending.set(request, pending)
    return mapResponse(pass(placeholder, response, next), (result) =>
      pending.hasPassedGuards || isExempt ? result : this.#afterGuard(request, response, result),
    )
  }

  // A request with an API token may come from any page: no browser adds the token by itself. If the route
  // does not accept tokens, the CSRF token is still required.
  #objection(request: Request): string | null {
    const objection = this.#origins.objection(request)
    return objection === null || bearerText(request) === null ? objection : null
  }

  // A guard has refused the request, whose body is unread. If the first of two equal submissions has just
  // given the session a new id, this is the second, which gets the response of the first. And without a
  // session there is no valid token: an expired form goes back to its page, as it would without the guard.
  async #afterGuard(request: Request, response: Response, refusal: Response): Promise<Response> {
    const submissions = Submissions.of(request)
    const isRepeat = submissions !== null && (await request.session.isMoved())
    const repeated = isRepeat ? await submissions.repeated(request, response) : null
    if (repeated !== null) return withoutRefusal(repeated)
    LimitedSubmission.of(request)?.enforce()
    const page = isRedirect(refusal) && isBrowserForm(request) ? this.#origins.page(request) : null
    if (page === null || (await request.session.isLive())) return refusal
    return sendBack(request, response, page, { keepsInput: false })
  }

  #checkToken(request: Request, response: Response, next: Next): Response | Promise<Response> {
    const pending = this.#pending.get(request)
    if (pending !== undefined) pending.hasPassedGuards = true
    // A valid API token; an invalid one was refused by its guard.
    if (pending?.isExempt === true || request.apiToken !== null) {
      LimitedSubmission.of(request)?.enforce()
      return next()
    }
    return this.#passWithToken(request, response, pending?.placeholder ?? null, next)
  }

  async #passWithToken(
    request: Request,
    response: Response,
    placeholder: CsrfPlaceholder | null,
    next: Next,
  ): Promise<Response> {
    const submissions = Submissions.of(request)
    const limited = LimitedSubmission.of(request)
    if (limited?.isRefused !== true && (await carriesToken(request))) {
      return submissions === null ? next() : submissions.runOnce(request, response, next)
    }
    const repeated = (await submissions?.repeated(request, response)) ?? null
    if (repeated !== null) return repeated
    limited?.enforce()
    const page = isBrowserForm(request) ? this.#origins.page(request) : null
    if (page !== null) {
      emitSecurityEvent(SecurityEvents.TokenRefused, request, this.#emitter)
      return sendBack(request, response, page, { keepsInput: true })
    }
    return this.#refuse(request, response, placeholder, missingToken)
  }

  async #refuse(
    request: Request,
    response: Response,
    placeholder: CsrfPlaceholder | null,
    reason: string,
  ): Promise<Response> {
    if (errorFormatOf(request) === ErrorFormats.Page) {
      await placeholder?.beforeError(403, response)
      await this.#prepareErrorPage?.(request, response)
    }
    const { TokenRefused, OriginRefused } = SecurityEvents
    const event = reason === missingToken ? TokenRefused : OriginRefused
    emitSecurityEvent(event, request, this.#emitter)
    const isShown = this.#isDevelopment && seesDetails(request)
    return refuseRequest(request, response, isShown ? reason : null)
  }
}

function isRedirect({ code }: Response): boolean {
  return code >= 300 && code < 400
}

/** A replayed response without the headers of the refusal it replaces. */
function withoutRefusal(response: Response): Response {
  if (!isRedirect(response)) response.headers.delete('Location')
  if (response.code !== 401) response.headers.delete('WWW-Authenticate')
  return response
}

async function sendBack(
  request: Request,
  response: Response,
  page: string,
  options: ReturnOptions,
): Promise<Response> {
  // If another request has given the session a new id, this one must not create yet another session.
  if (await request.session.isMoved()) request.session.discardWrites()
  return returnToForm(request, response, page, options)
}

function pass(
  placeholder: CsrfPlaceholder,
  response: Response,
  next: Next,
): Response | Promise<Response> {
  try {
    const result = mapResponse(next(), (filled) => placeholder.fill(filled))
    if (!(result instanceof Promise)) return result
    return result.catch((error: unknown) => placeholder.afterError(error, response))
  } catch (error) {
    return placeholder.afterError(error, response)
  }
}
