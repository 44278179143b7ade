import type { Request, Response } from 'framework/http'
import type { SessionGuard } from 'framework/middlewares' // part: auth

/** What every page shows of the site. */
export interface Site {
  readonly title: string
  readonly environment: string
  // part: auth
  /** Whether /mails shows the mails of development. */
  readonly mails: boolean
  // end: auth
}

/** Shows pages: with who is signed in, and with what the last request left for the next page. */
export class Pages {
  readonly #site: Site
  readonly #visitors: SessionGuard // part: auth

  constructor(
    site: Site,
    visitors: SessionGuard, // part: auth
  ) {
    this.#site = site
    this.#visitors = visitors // part: auth
  }

  /** Gives a view what the frame of the page needs. */
  async prepare(request: Request, response: Response): Promise<Response> {
    const { session } = request
    if (request.identity === null) await this.#visitors.authenticate(request) // part: auth
    return response.share({
      site: this.#site,
      identity: request.identity, // part: auth
      flash: asFlash(await session.flash('message')),
      errors: await session.flash('errors'),
      old: await session.flash('old'),
    })
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
