import { ConfigurationError } from '../../base/errors.ts'
import { HttpError } from '../errors/http-error.ts'
import type { Request } from '../request/request.ts'
import type { Response } from '../response/response.ts'
import type { Middleware, MiddlewareObject, Next } from '../router/middleware.ts'
import { Authentication } from './authentication.ts'

/** Options of `Verified`. */
export interface VerifiedOptions {
  /**
   * Responds to users whose address is not verified.
   * @default a 403 that says so
   */
  readonly fallback?: (request: Request, response: Response) => Response | Promise<Response>
}

/**
 * Lets users through whose e-mail is verified. Put it after `Authentication` wherever an account gets
 * something that outlives its password, such as a passkey or an API token: whoever registers the address
 * of somebody else could leave it there, and would keep a way in when the owner resets the password.
 */
export class Verified implements MiddlewareObject {
  /** It needs no body. */
  readonly guard: boolean = true
  readonly #fallback: NonNullable<VerifiedOptions['fallback']>

  constructor({ fallback = refuse }: VerifiedOptions = {}) {
    this.#fallback = fallback
  }

  /** @throws ConfigurationError without `Authentication` before it. */
  join(outer: readonly Middleware[]): void {
    if (outer.some((middleware) => middleware instanceof Authentication)) return
    throw new ConfigurationError(
      'E_VERIFIED',
      'Verified looks at signed-in users; put Authentication before it: middlewares: [signedIn, verified]',
    )
  }

  process(request: Request, response: Response, next: Next): Response | Promise<Response> {
    return request.identity?.verified === true ? next() : this.#fallback(request, response)
  }
}

function refuse(): never {
  throw new HttpError(403, 'Please verify your e-mail first.', { expose: true })
}
