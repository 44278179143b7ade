import { invalidArgument } from '../../base/errors.ts'
import { HttpError } from '../errors/http-error.ts'
import type { Request } from '../request/request.ts'
import type { Response } from '../response/response.ts'
import type { MiddlewareObject, Next } from '../router/middleware.ts'
import { Phases } from '../router/phases.ts'
import type { MiddlewarePhase } from '../router/phases.ts'
import type { SignedUrls } from './signed-urls.ts'

/** Options of `Signed`. */
export interface SignedOptions {
  /**
   * The methods that a signature allows. A link is followed with GET; a form on the page of the link may
   * post to the same address.
   * @default ['GET', 'HEAD']
   */
  readonly methods?: readonly string[]
}

/**
 * Lets requests through whose address was signed by `SignedUrls` and has not expired. Anything else is a
 * 403 that says which of the two it is.
 */
export class Signed implements MiddlewareObject {
  /** It needs neither session nor body. */
  readonly phase: MiddlewarePhase = Phases.Guard
  readonly #urls: Pick<SignedUrls, 'check'>
  readonly #methods: ReadonlySet<string>

  /** @throws InvalidArgumentException without a method. */
  constructor(urls: Pick<SignedUrls, 'check'>, { methods = ['GET', 'HEAD'] }: SignedOptions = {}) {
    if (methods.length === 0) {
      throw invalidArgument('Signed needs at least one method')
    }
    this.#urls = urls
    this.#methods = new Set(methods.map((method) => method.toUpperCase()))
  }

  /** @throws HttpError 403 unless the address is signed and still valid. */
  process(request: Request, _response: Response, next: Next): Response | Promise<Response> {
    const state = this.#methods.has(request.method) ? this.#urls.check(request.URI) : 'invalid'
    if (state === 'valid') return next()
    throw new HttpError(403, refusals[state], { expose: true })
  }
}

const refusals = {
  expired: 'This link has expired.',
  invalid: 'This link is not valid.',
} as const
