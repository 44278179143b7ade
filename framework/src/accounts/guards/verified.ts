import { isMailboxProven } from '../identity.ts'
import { ErrorFormats, errorFormatOf } from '../../http/errors/error-format.ts'
import { HttpError } from '../../http/errors/http-error.ts'
import type { Request } from '../../http/request/request.ts'
import type { Response } from '../../http/response/response.ts'
import type { Next } from '../../http/router/middleware.ts'
import { UserGuard } from './authentication.ts'
import { storeIntended } from './intended.ts'

/** Options of `Verified`. */
export interface VerifiedOptions {
  /**
   * Responds to users whose address is not verified. The requested page is kept in the session as `intended`, for
   * `signIn.destination` once it is.
   * @default a 403 that says so
   */
  readonly fallback?: (request: Request, response: Response) => Response | Promise<Response>
  /**
   * The page that asks users for a mailed code whose address only a link has verified: see
   * `Credentials.verifyEmail`. The requested page is kept in the session as `intended`.
   * @default a 403 that says so
   */
  readonly page?: string
}

/**
 * Lets users through who have proven their e-mail. Put it after `Authentication` wherever an account gets
 * something that outlives its password, such as a passkey or an API token: whoever registers the address
 * of somebody else could leave it there, and would keep a way in when the owner resets the password.
 */
export class Verified extends UserGuard {
  readonly #fallback: NonNullable<VerifiedOptions['fallback']>
  readonly #page: string | null

  constructor({ fallback = refuse, page }: VerifiedOptions = {}) {
    super(
      'E_VERIFIED',
      'Verified looks at signed-in users; put Authentication before it: middlewares: [signedIn, verified]',
    )
    this.#fallback = fallback
    this.#page = page ?? null
  }

  process(request: Request, response: Response, next: Next): Response | Promise<Response> {
    const { identity } = request
    if (identity?.verified !== true) {
      if (request.apiToken === null) storeIntended(request)
      return this.#fallback(request, response)
    }
    if (isMailboxProven(identity)) return next()
    if (this.#page === null || errorFormatOf(request) !== ErrorFormats.Page) {
      throw refusal('Please prove first that you read the mails to your address.')
    }
    storeIntended(request)
    return response.redirect(this.#page).header('Cache-Control', 'no-store')
  }
}

function refuse(): never {
  throw refusal('Please verify your e-mail first.')
}

function refusal(message: string): HttpError {
  return new HttpError(403, message, { expose: true })
}
