import { Environments } from '../../app/environments/environments.ts'
import { ErrorFormats, errorFormat } from '../errors/error-format.ts'
import { seesDetails } from '../errors/sees-details.ts'
import type { Request } from '../request/request.ts'
import type { Response } from '../response/response.ts'
import { mapResponse } from '../router/map-response.ts'
import type { MiddlewareObject, Next } from '../router/middleware.ts'
import type { ServerHost } from '../server/server-host.ts'
import { Submissions } from '../submissions/submissions.ts'
import { CsrfOrigins } from './csrf-origins.ts'
import { CsrfPlace } from './csrf-place.ts'
import { isFormOfBrowser, refuse, returnToForm } from './csrf-refusal.ts'
import { carriesToken } from './csrf-token.ts'

/** Whom the guard trusts, and where it looks away. */
export interface CsrfOptions {
  /** Other origins of this site whose pages may send forms here, such as `https://admin.shop.example`. */
  readonly origins?: readonly string[]
  /**
   * Requests that need no token. They must be such that no cookie signs in: those of other programs,
   * which show a signature or a key of their own.
   */
  readonly except?: (request: Request) => boolean
}

type CsrfHost = Pick<ServerHost, 'url' | 'environment' | 'prepareErrorPage'>

const safeMethods: ReadonlySet<string> = new Set(['GET', 'HEAD', 'OPTIONS', 'TRACE'])

/**
 * Lets requests change something only if a page of this site has sent them: they carry the token of
 * their session, in the form field `_token` or the header `X-CSRF-Token`, and the browser names no
 * other origin. Views print the field with `<%~ it.csrf %>`. It stands inside `Sessions`.
 */
export class Csrf implements MiddlewareObject {
  readonly #origins: CsrfOrigins
  readonly #except: (request: Request) => boolean
  /** The places of answers that have views; to note those of all would cost more than the rest. */
  readonly #places = new WeakMap<Request, CsrfPlace>()
  #isDevelopment = false
  #prepareErrorPage: ServerHost['prepareErrorPage'] = null

  /** @throws InvalidArgumentException for what is no origin. */
  constructor({ origins = [], except = () => false }: CsrfOptions = {}) {
    this.#origins = new CsrfOrigins(origins)
    this.#except = except
  }

  attach({ url, environment, prepareErrorPage }: CsrfHost): void {
    this.#origins.own = url === null ? null : new URL(url).origin
    this.#isDevelopment = environment === Environments.Development
    this.#prepareErrorPage = prepareErrorPage
  }

  process(request: Request, response: Response, next: Next): Response | Promise<Response> {
    const place = new CsrfPlace(request)
    response.share(() => {
      this.#places.set(request, place)
      return place.values()
    })
    if (safeMethods.has(request.method) || this.#except(request)) return pass(place, response, next)
    const objection = this.#origins.objection(request)
    if (objection !== null) return this.#refuse(request, response, place, objection)
    return this.#passWithToken(request, response, place, next)
  }

  /** Error pages are rendered outside of the chain: what is left open on them is filled here. */
  finish(request: Request, response: Response): void {
    this.#places.get(request)?.fillLate(response)
  }

  async #passWithToken(
    request: Request,
    response: Response,
    place: CsrfPlace,
    next: Next,
  ): Promise<Response> {
    const submissions = Submissions.of(request)
    const carries = await carriesToken(request).catch((error: unknown) =>
      place.afterError(error, response),
    )
    if (carries) {
      const run = (): Response | Promise<Response> => pass(place, response, next)
      return submissions === null ? run() : submissions.answerOnce(request, response, run)
    }
    const repeated = (await submissions?.repeated(request, response)) ?? null
    if (repeated !== null) return repeated
    const page = isFormOfBrowser(request) ? this.#origins.page(request) : null
    if (page !== null) return sendBack(request, response, page)
    const reason = 'it carries no token, or not that of its session'
    return this.#refuse(request, response, place, reason)
  }

  async #refuse(
    request: Request,
    response: Response,
    place: CsrfPlace,
    reason: string,
  ): Promise<Response> {
    if (errorFormat(request.header('accept')) === ErrorFormats.Page) {
      await place.beforeError(403, response)
      await this.#prepareErrorPage?.(request, response)
    }
    const isShown = this.#isDevelopment && seesDetails(request)
    return refuse(request, response, isShown ? reason : null)
  }
}

async function sendBack(request: Request, response: Response, page: string): Promise<Response> {
  // A browser that has yet to hear of the new id of its session must not get a third one.
  if (await request.session.isMoved()) request.session.discardWrites()
  return returnToForm(request, response, page)
}

function pass(place: CsrfPlace, response: Response, next: Next): Response | Promise<Response> {
  try {
    const outcome = mapResponse(next(), (answer) => place.fill(answer))
    if (!(outcome instanceof Promise)) return outcome
    return outcome.catch((error: unknown) => place.afterError(error, response))
  } catch (error) {
    return place.afterError(error, response)
  }
}
