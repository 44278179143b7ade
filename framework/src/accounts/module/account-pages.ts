import { takeMessage } from '../../http/input/form-responses.ts'
import type { Request, RequestIdentity } from '../../http/request/request.ts'
import type { Response } from '../../http/response/response.ts'
import { displayEmail } from '../email-address.ts'
import { SessionGuard } from '../guards/session-guard.ts'
import type { AccountStores, AccountUnits } from './account-units.ts'
import type { ErrorValues } from '../../http/errors/error-values.ts'
import type { FlashMessage } from '../../http/input/form-responses.ts'

/** What pages are rendered with. */
type AccountPagesParts = Pick<AccountUnits, 'visitors' | 'users'> &
  Pick<AccountStores, 'sessions' | 'layoutValues'>

/** Renders pages with the signed-in identity and the flashed messages of the last request. */
export class AccountPages {
  readonly #parts: AccountPagesParts
  readonly #members: SessionGuard

  constructor(parts: AccountPagesParts) {
    this.#parts = parts
    this.#members = new SessionGuard({ load: (id) => parts.users.find(id) })
  }

  /** Shares the data that the layout needs with the view. */
  async prepare(request: Request, response: Response): Promise<Response> {
    const { session } = request
    if (request.identity === null) await this.#parts.visitors.authenticate(request, response)
    response.share({
      ...this.#values(request),
      flash: await takeMessage(request),
      errors: await session.flash('errors'),
      old: await session.flash('old'),
    })
    const flash = expiredForm(await session.flash('expired'), request.identity !== null)
    if (flash !== null) {
      response.share({ flash: { ...flash, text: request.t(flash.text) }, old: null })
    }
    return response
  }

  /** Renders a view: your own, or one of accounts. */
  async show(
    request: Request,
    response: Response,
    view: string,
    data: Readonly<Record<string, unknown>> = {},
  ): Promise<Response> {
    return (await this.prepare(request, response)).view(view, data)
  }

  /**
   * Tells error pages who is signed in and may see what, so that they keep the navigation. A remember cookie is not
   * used here: an error response cannot send the next one.
   */
  readonly errorValues: ErrorValues = async (request) => {
    // A rate limit may refuse a request before the session middleware runs.
    request.sessions ??= this.#parts.sessions
    if (request.identity === null) await this.#members.authenticate(request)
    return this.#values(request)
  }

  #values(request: Request): Record<string, unknown> {
    return { ...this.#parts.layoutValues?.(request), identity: displayIdentity(request.identity) }
  }
}

/** The signed-in identity with its e-mail in readable form. */
function displayIdentity(identity: RequestIdentity | null): RequestIdentity | null {
  if (identity?.email === undefined) return identity
  return { ...identity, email: displayEmail(identity.email) }
}

const guestForms = /^\/(?:register|login(?:\/mail\b.*)?|forgot)$/
const memberForms = /^\/(?:account|logout|password|confirm|verify|devices|sessions)\b/

/**
 * The message for a form that expired because the visitor signed in or out in another tab, so the page
 * they are sent back to no longer has it. Null if the page still has the form.
 */
function expiredForm(path: unknown, isSignedIn: boolean): FlashMessage | null {
  if (typeof path !== 'string') return null
  if (isSignedIn) return guestForms.test(path) ? info('You are already signed in.') : null
  if (path === '/logout') return { kind: 'success', text: 'You are signed out.' }
  return memberForms.test(path) ? info('You were signed out. Please sign in again.') : null
}

function info(text: string): FlashMessage {
  return { kind: 'info', text }
}
