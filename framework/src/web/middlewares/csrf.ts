import { Environments } from '../../app/environments/environments.ts'
import { SecurityEvents, emitSecurityEvent } from '../../app/security/log/security-events.ts'
import { Emitter } from '../../services/events/emitter.ts'
import { ErrorFormats, errorFormat } from '../errors/error-format.ts'
import { seesDetails } from '../errors/sees-details.ts'
import type { Values } from '../request/query.ts'
import type { Request } from '../request/request.ts'
import type { Response } from '../response/response.ts'
import { mapResponse } from '../router/map-response.ts'
import type { MiddlewareObject, Next } from '../router/middleware.ts'
import type { ServerHost } from '../server/server-host.ts'
import { Submissions } from '../submissions/submissions.ts'
import { CsrfOrigins } from './csrf-origins.ts'
import { CsrfPlaceholder } from './csrf-placeholder.ts'
import { isBrowserForm, refuseRequest, returnToForm } from './csrf-refusal.ts'
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

const safeMethods: ReadonlySet<string> = new Set(['GET', 'HEAD', 'OPTIONS', 'TRACE'])

/**
 * Refuses unsafe requests that do not come from a page of this site: they must have the token of their
 * session, in the form field `_token` or the header `X-CSRF-Token`, and no foreign origin. Views print
 * the field with `<%~ it.csrf %>`. Use it inside `Sessions`.
 */
export class Csrf implements MiddlewareObject {
  readonly #origins: CsrfOrigins
  readonly #except: (request: Request) => boolean
  /** Only of responses with views: an entry for every response would be too slow. */
  readonly #placeholders = new WeakMap<Request, CsrfPlaceholder>()
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

  process(request: Request, response: Response, next: Next): Response | Promise<Response> {
    const placeholder = new CsrfPlaceholder(request)
    response.share(() => {
      this.#placeholders.set(request, placeholder)
      return placeholder.values()
    })
    if (safeMethods.has(request.method) || this.#except(request)) {
      return pass(placeholder, response, next)
    }
    const objection = this.#origins.objection(request)
    if (objection !== null) return this.#refuse(request, response, placeholder, objection)
    return this.#passWithToken(request, response, placeholder, next)
  }

  /** @throws HttpError 403 unless the token came before the first file, or in the header. */
  async beforeUpload(request: Request, fields: Values): Promise<void> {
    if (!this.#except(request)) await requireTokenFirst(request, fields)
  }

  /** For error pages, which are rendered outside the middleware chain. */
  finish(request: Request, response: Response): void {
    this.#placeholders.get(request)?.fillLate(response)
  }

  async #passWithToken(
    request: Request,
    response: Response,
    placeholder: CsrfPlaceholder,
    next: Next,
  ): Promise<Response> {
    const submissions = Submissions.of(request)
    const hasToken = await carriesToken(request).catch((error: unknown) =>
      placeholder.afterError(error, response),
    )
    if (hasToken) {
      const run = (): Response | Promise<Response> => pass(placeholder, response, next)
      return submissions === null ? run() : submissions.runOnce(request, response, run)
    }
    const repeated = (await submissions?.repeated(request, response)) ?? null
    if (repeated !== null) return repeated
    const page = isBrowserForm(request) ? this.#origins.page(request) : null
    if (page !== null) {
      emitSecurityEvent(SecurityEvents.TokenRefused, request, this.#emitter)
      return sendBack(request, response, page)
    }
    return this.#refuse(request, response, placeholder, missingToken)
  }

  async #refuse(
    request: Request,
    response: Response,
    placeholder: CsrfPlaceholder,
    reason: string,
  ): Promise<Response> {
    if (errorFormat(request.header('accept')) === ErrorFormats.Page) {
      await placeholder.beforeError(403, response)
      await this.#prepareErrorPage?.(request, response)
    }
    const { TokenRefused, OriginRefused } = SecurityEvents
    const event = reason === missingToken ? TokenRefused : OriginRefused
    emitSecurityEvent(event, request, this.#emitter)
    const isShown = this.#isDevelopment && seesDetails(request)
    return refuseRequest(request, response, isShown ? reason : null)
  }
}

async function sendBack(request: Request, response: Response, page: string): Promise<Response> {
  // If another request has given the session a new id, this one must not create yet another session.
  if (await request.session.isMoved()) request.session.discardWrites()
  return returnToForm(request, response, page)
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
