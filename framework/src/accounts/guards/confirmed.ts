import { epochSeconds } from '../../base/time/epoch-seconds.ts'
import { ErrorFormats, errorFormatOf } from '../../http/errors/error-format.ts'
import { HttpError } from '../../http/errors/http-error.ts'
import { statusResponse } from '../../http/errors/status-response.ts'
import type { Request } from '../../http/request/request.ts'
import type { Response } from '../../http/response/response.ts'
import type { Next } from '../../http/router/middleware.ts'
import { expiryOf } from '../tokens/token.ts'
import { UserGuard } from './authentication.ts'
import { singleChallenge } from './authenticating.ts'
import { isConfirmed } from './confirmation.ts'
import { storeIntended } from './intended.ts'

/** Options of `Confirmed`. */
export interface ConfirmedOptions {
  /** Seconds for which a confirmation counts. @default 900 */
  readonly within?: number
  /**
   * The page that asks for the proof. The requested page is kept in the session as `intended`.
   * @default '/confirm'
   */
  readonly page?: string
  /** Session key of the signed-in account. @default 'identity' */
  readonly key?: string
  /** Epoch seconds; for tests. */
  readonly clock?: () => number
}

/**
 * Lets users through who have just proved again who they are, with `Confirmation`. Others are redirected
 * to the page that asks for it; JSON clients get a 401. Put it after `Authentication`, on the page of a
 * form and on the form: then the proof is asked for before anything is typed.
 */
export class Confirmed extends UserGuard {
  readonly #options: Required<ConfirmedOptions>
  readonly #challenge: string

  /** @throws InvalidArgumentException for a `within` below 1. */
  constructor(options: ConfirmedOptions = {}) {
    super(
      'E_CONFIRMED',
      'Confirmed asks signed-in users; put Authentication before it: middlewares: [signedIn, confirmed]',
    )
    const { within = 900, page = '/confirm', key = 'identity', clock = epochSeconds } = options
    this.#options = { within: expiryOf(0, within, 'within of Confirmed'), page, key, clock }
    // As in RFC 9470, so that a client can tell this from a session that has ended.
    this.#challenge = `${singleChallenge({})}, error="insufficient_user_authentication", max_age="${within}"`
  }

  async process(request: Request, response: Response, next: Next): Promise<Response> {
    // Even beside the cookie of a confirmed session: who acts is the program with the token.
    if (request.apiToken !== null) throw refuseToken()
    const { within, page, key, clock } = this.#options
    const earliest = Math.floor(clock()) - within
    if (await isConfirmed(request, { key, earliest })) return next()
    if (errorFormatOf(request) !== ErrorFormats.Page) {
      response.header('WWW-Authenticate', this.#challenge)
      return statusResponse(request, response, 401)
    }
    storeIntended(request)
    return response.redirect(page).header('Cache-Control', 'no-store')
  }
}

function refuseToken(): HttpError {
  const message = 'This needs somebody who is signed in; an API token is not enough.'
  return new HttpError(403, message, { expose: true, problem: true })
}
