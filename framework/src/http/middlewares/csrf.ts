import { Environments } from '../../settings/environments.ts'
import { Emitter } from '../../events/emitter.ts'
import { SecurityEvents, emitSecurityEvent } from '../request/security-events.ts'
import { ErrorFormats, errorFormatOf } from '../errors/error-format.ts'
import { seesDetails } from '../errors/sees-details.ts'
import { bearerText } from '../request/api-token.ts'
import { isSafe } from '../request/request.ts'
import type { CsrfState, Request } from '../request/request.ts'
import type { Values } from '../request/query.ts'
import type { Response } from '../response/response.ts'
import { mapResponse } from '../router/middleware.ts'
import type {
  Middleware,
  MiddlewareFunction,
  MiddlewareObject,
  Next,
} from '../router/middleware.ts'
import { Phases } from '../router/phases.ts'
import type { MiddlewarePhase } from '../router/phases.ts'
import type { ServerHost } from '../server/server-host.ts'
import { Submissions } from '../submissions/submissions.ts'
import { statusResponse } from '../errors/status-response.ts'
import { oldInput } from '../input/old-input.ts'
import { CsrfOrigins, isBrowserForm } from './csrf-origins.ts'
import {
  fillErrorPage,
  fillPlaceholder,
  placeholderValues,
  readTokenAfterError,
  readTokenForError,
  carriesToken,
  requireTokenFirst,
  sentFields,
} from './csrf-token.ts'

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

const refused = 'Invalid CSRF token'
const expired = 'This form has expired. Please send it again.'

type CsrfHost = Pick<ServerHost, 'emitter' | 'url' | 'environment' | 'prepareErrorPage'>

/**
 * Refuses unsafe requests that do not come from a page of this site: they must have the token of their
 * session, in the form field `_token` or the header `X-CSRF-Token`, and no foreign origin. Views print
 * the field with `<%~ it.csrf %>`. Use it inside `Sessions`.
 *
 * The origin is checked before anything is counted or read. The token may be in the body, which is not
 * read for a request that a guard of the route refuses; so it is checked after them.
 */
export class Csrf implements MiddlewareObject {
  readonly steps: readonly MiddlewareObject[] = [
    step(Phases.Origin, (request, response, next) => this.#checkOrigin(request, response, next)),
    step(Phases.Session, (request, response, next) => this.#serveToken(request, response, next)),
    step(Phases.Token, (request, response, next) => this.#checkToken(request, response, next)),
  ]
  readonly #origins: CsrfOrigins
  readonly #except: (request: Request) => boolean
  #submissions: Submissions | null = null
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
    this.#submissions ??= outer.find((middleware) => middleware instanceof Submissions) ?? null
  }

  /** All steps in one place, for code that calls it directly. */
  process(request: Request, response: Response, next: Next): Response | Promise<Response> {
    if (isSafe(request.method)) return this.#serveToken(request, response, next)
    return this.#checkOrigin(request, response, () =>
      this.#serveToken(request, response, () => this.#checkToken(request, response, next)),
    )
  }

  /** For error pages, which are rendered outside the middleware chain. */
  finish({ csrf }: Request, response: Response): void {
    if (csrf !== null) fillErrorPage(csrf, response)
  }

  #checkOrigin(request: Request, response: Response, next: Next): Response | Promise<Response> {
    // With a second `Csrf` around it, both must exempt it.
    const isExempt = this.#except(request) && request.csrf?.isExempt !== false
    const state = (request.csrf ??= newState())
    state.isExempt = isExempt
    if (isExempt) {
      // Its form is not looked at, so it is never taken for the second of a double click.
      request.submission = null
      return next()
    }
    const objection = this.#origins.objection(request)
    // A request with an API token may come from any page: no browser adds the token by itself. If the route
    // does not accept tokens, the CSRF token is still required.
    if (objection !== null && bearerText(request) === null) {
      // There is no session yet.
      response.share({ csrf: '', csrfToken: '' })
      return this.#refuse(request, response, objection)
    }
    if (request.uploads !== null) request.beforeUpload((fields) => checkUpload(request, fields))
    return next()
  }

  // Around everything that may render a view.
  #serveToken(request: Request, response: Response, next: Next): Response | Promise<Response> {
    const state = (request.csrf ??= newState())
    response.share(() => placeholderValues(state))
    const result = withToken(state, request, response, next)
    if (isSafe(request.method)) return result
    return mapResponse(result, (filled) =>
      state.hasPassedGuards || state.isExempt
        ? filled
        : this.#afterGuard(request, response, filled),
    )
  }

  // A guard has refused the request, whose body is unread. If the first of two equal submissions has just
  // given the session a new id, this is the second, which gets the response of the first. And without a
  // session there is no valid token: an expired form goes back to its page, as it would without the guard.
  async #afterGuard(request: Request, response: Response, refusal: Response): Promise<Response> {
    const { submission } = request
    const isRepeat = submission !== null && (await request.session.isMoved())
    const repeated = isRepeat ? await this.#repeated(request, response) : null
    if (repeated !== null) return withoutRefusal(repeated)
    submission?.enforce()
    const page = isRedirect(refusal) && isBrowserForm(request) ? this.#origins.page(request) : null
    if (page === null || (await request.session.isLive())) return refusal
    return sendBack(request, response, page, { keepsInput: false })
  }

  #checkToken(request: Request, response: Response, next: Next): Response | Promise<Response> {
    const { csrf } = request
    if (csrf !== null) csrf.hasPassedGuards = true
    if (csrf?.isExempt === true) return next()
    if (request.apiToken === null) return this.#passWithToken(request, response, next)
    // A valid API token; an invalid one was refused by its guard.
    request.submission?.enforce()
    request.submission = null
    return next()
  }

  async #passWithToken(request: Request, response: Response, next: Next): Promise<Response> {
    const { submission } = request
    if (submission?.isRefused !== true && (await carriesToken(request))) return next()
    const repeated = await this.#repeated(request, response)
    if (repeated !== null) return repeated
    submission?.enforce()
    const page = isBrowserForm(request) ? this.#origins.page(request) : null
    if (page !== null) {
      emitSecurityEvent(SecurityEvents.TokenRefused, request, this.#emitter)
      return sendBack(request, response, page, { keepsInput: true })
    }
    return this.#refuse(request, response, missingToken)
  }

  /** The response to the first of two equal forms, if this is the second; otherwise null. */
  async #repeated(request: Request, response: Response): Promise<Response | null> {
    const { submission } = request
    if (this.#submissions === null || submission === null) return null
    return this.#submissions.repeated({ request, response, submission })
  }

  async #refuse(request: Request, response: Response, reason: string): Promise<Response> {
    const { csrf } = request
    if (errorFormatOf(request) === ErrorFormats.Page) {
      if (csrf !== null) await readTokenForError(csrf, request, response, 403)
      await this.#prepareErrorPage?.(request, response)
    }
    const { TokenRefused, OriginRefused } = SecurityEvents
    const event = reason === missingToken ? TokenRefused : OriginRefused
    emitSecurityEvent(event, request, this.#emitter)
    // For developers, on pages and in problem details.
    const isShown = this.#isDevelopment && seesDetails(request)
    const message = isShown ? `${refused}: ${reason}` : refused
    return statusResponse(request, response, 403, { error: refused, message })
  }
}

function step(phase: MiddlewarePhase, process: MiddlewareFunction): MiddlewareObject {
  return { phase, label: 'Csrf', process }
}

function newState(): CsrfState {
  return {
    isExempt: false,
    hasPassedGuards: false,
    placeholder: '',
    token: '',
    isErrorPage: false,
    searched: '',
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

/**
 * Redirects back to the form: the session has probably just expired. Flashes `message`, `old` and, as
 * `expired`, the path the form was sent to, for a page that no longer shows that form.
 */
async function sendBack(
  request: Request,
  response: Response,
  page: string,
  { keepsInput }: { readonly keepsInput: boolean },
): Promise<Response> {
  const { session } = request
  // If another request has given the session a new id, this one must not create yet another session.
  if (await session.isMoved()) session.discardWrites()
  session.flash('message', expired)
  session.flash('expired', request.path)
  const old = keepsInput ? oldInput(await sentFields(request)) : {}
  if (Object.keys(old).length > 0) session.flash('old', old)
  return response.redirect(page)
}

// Nothing is stored for a request that is refused anyway.
function checkUpload(request: Request, fields: Values): Promise<void> | void {
  if (request.apiToken === null && request.csrf?.isExempt !== true) {
    return requireTokenFirst(request, fields)
  }
}

function withToken(
  state: CsrfState,
  request: Request,
  response: Response,
  next: Next,
): Response | Promise<Response> {
  try {
    const result = mapResponse(next(), (filled) => fillPlaceholder(state, request, filled))
    if (!(result instanceof Promise)) return result
    return result.catch((error: unknown) => readTokenAfterError(state, request, response, error))
  } catch (error) {
    return readTokenAfterError(state, request, response, error)
  }
}
