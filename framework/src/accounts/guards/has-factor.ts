import { ErrorFormats, errorFormatOf } from '../../http/errors/error-format.ts'
import { HttpError } from '../../http/errors/http-error.ts'
import type { Request, RequestIdentity } from '../../http/request/request.ts'
import type { Response } from '../../http/response/response.ts'
import type { Next } from '../../http/router/middleware.ts'
import { SessionKeys } from '../../http/session/session-keys.ts'
import { stateOf } from '../identity.ts'
import { UserGuard } from './authentication.ts'
import { storeIntended, takeIntended } from './intended.ts'

/** Options of `HasFactor`. */
export interface HasFactorOptions {
  /** Who must have a second factor: `(user) => user.role === 'staff'`. @default everybody */
  readonly required?: (user: RequestIdentity) => boolean
  /** The page on which one is added. The requested page is kept in the session. @default '/account/two-factor' */
  readonly page?: string
}

/**
 * Lets users through who have a second factor, or need none. Others are led to the page that adds one, and from there
 * back to what they asked for; JSON clients get a 403. Put it after `Authentication`, or pass `admit` to it.
 */
export class HasFactor extends UserGuard {
  readonly #required: (user: RequestIdentity) => boolean
  readonly #page: string

  constructor({ required = () => true, page = '/account/two-factor' }: HasFactorOptions = {}) {
    super(
      'E_HAS_FACTOR',
      'HasFactor looks at signed-in users; put Authentication before it: middlewares: [signedIn, hasFactor]',
    )
    this.#required = required
    this.#page = page
  }

  process(request: Request, response: Response, next: Next): Response | Promise<Response> {
    return this.admit(request, response) ?? next()
  }

  /** The response to somebody who must add a factor first; null for others. */
  readonly admit = (request: Request, response: Response): Response | null => {
    const { identity } = request
    // What made the token had a factor, and the token is what was asked for.
    if (identity === null || request.apiToken !== null || !this.#required(identity)) return null
    if ((stateOf(identity)?.factors.length ?? 0) > 0) return null
    if (errorFormatOf(request) !== ErrorFormats.Page) {
      const message = 'Please add a second step to your sign-in first.'
      throw new HttpError(403, message, { expose: true })
    }
    storeIntended(request, SessionKeys.Enrolling)
    return response.redirect(this.#page).header('Cache-Control', 'no-store')
  }
}

/** Where somebody goes who has just added a factor: to the page that asked for it, or `otherwise`. */
export async function afterEnrolment(request: Request, otherwise: string): Promise<string> {
  return (await takeIntended(request, SessionKeys.Enrolling)) ?? otherwise
}
