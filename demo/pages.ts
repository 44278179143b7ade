import type { Guard } from 'framework/auth' // part: auth
import { takeMessage } from 'framework/http'
import type { MetricsAccess, Request, Response } from 'framework/http'
import { expiredForm } from './accounts/expired-form.ts' // part: auth
import { displayIdentity } from './accounts/display-identity.ts' // part: auth

/** Renders pages with the signed-in identity and the flashed messages of the last request. */
export class Pages {
  readonly #metrics: MetricsAccess
  readonly #visitors: Guard // part: auth

  constructor(
    metrics: MetricsAccess,
    visitors: Guard, // part: auth
  ) {
    this.#metrics = metrics
    this.#visitors = visitors // part: auth
  }

  /** Shares the data that the layout needs with the view. */
  async prepare(request: Request, response: Response): Promise<Response> {
    const { session } = request
    if (request.identity === null) await this.#visitors.authenticate(request, response) // part: auth
    response.share({
      identity: displayIdentity(request.identity), // part: auth
      metrics: this.#metrics.allows(request),
      flash: await takeMessage(request),
      errors: await session.flash('errors'),
      old: await session.flash('old'),
    })
    // part: auth
    const flash = expiredForm(await session.flash('expired'), request.identity !== null)
    if (flash !== null) response.share({ flash, old: null })
    // end: auth
    return response
  }

  /** Renders a view. */
  async show(
    request: Request,
    response: Response,
    view: string,
    data: Record<string, unknown> = {},
  ): Promise<Response> {
    return (await this.prepare(request, response)).view(view, data)
  }
}
