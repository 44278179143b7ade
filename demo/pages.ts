import type { Guard } from 'framework/auth' // part: auth
import type { Request, Response } from 'framework/http'
import { expiredForm } from './accounts/expired-form.ts' // part: auth
import { shownIdentity } from './accounts/shown-identity.ts' // part: auth

/** Shows pages: with who is signed in, and with what the last request left for the next page. */
export class Pages {
  // part: auth
  readonly #visitors: Guard

  constructor(visitors: Guard) {
    this.#visitors = visitors
  }

  // end: auth
  /** Gives a view what the frame of the page needs. */
  async prepare(request: Request, response: Response): Promise<Response> {
    const { session } = request
    if (request.identity === null) await this.#visitors.authenticate(request, response) // part: auth
    response.share({
      identity: shownIdentity(request.identity), // part: auth
      flash: asFlash(await session.flash('message')),
      errors: await session.flash('errors'),
      old: await session.flash('old'),
    })
    // part: auth
    const flash = expiredForm(await session.flash('expired'), request.identity !== null)
    if (flash !== null) response.share({ flash, old: null })
    // end: auth
    return response
  }

  /** Shows a view. */
  async show(
    request: Request,
    response: Response,
    view: string,
    data: Record<string, unknown> = {},
  ): Promise<Response> {
    return (await this.prepare(request, response)).view(view, data)
  }
}

// The guard against forged forms leaves a text.
function asFlash(message: unknown): unknown {
  return typeof message === 'string' ? { kind: 'error', text: message } : message
}
