import { randomUUID } from 'node:crypto'
import { HttpError } from '../errors/http-error.ts'
import type { Request } from '../request/request.ts'
import type { Response } from '../response/response.ts'
import { csrfToken, presentCsrfToken, tokenField } from './csrf-token.ts'

/**
 * Where the token will stand on the pages of one answer. Views cannot wait for a session, and most
 * pages have no form: so a mark stands there until it is known whether anybody needs the token.
 */
export class CsrfPlace {
  readonly #request: Request
  #mark = ''
  #token = ''

  constructor(request: Request) {
    this.#request = request
  }

  /** What views find in `it`. */
  values(): Readonly<Record<string, string>> {
    // Nobody can guess it, so that no text of a visitor is taken for it.
    if (this.#mark === '') this.#mark = `csrf-${randomUUID()}`
    const csrf = `<input type="hidden" name="${tokenField}" value="${this.#mark}">`
    return { csrf, csrfToken: this.#mark }
  }

  /** Puts the token on a page that has a place for it. */
  fill(response: Response): Response | Promise<Response> {
    return this.#isIn(response) ? this.#fillNow(response) : response
  }

  /**
   * Looks for the token that an error page may need; a session gets none here, because a request
   * that fails saves nothing.
   * @throws what was thrown.
   */
  async afterError(thrown: unknown, response: Response): Promise<never> {
    await this.beforeError(thrown instanceof HttpError ? thrown.status : 500, response)
    throw thrown
  }

  /** The same for a status that is answered without an error. */
  async beforeError(status: number, response: Response): Promise<void> {
    if (!response.hasView(`errors/${status}`)) return
    this.#token = (await presentCsrfToken(this.#request).catch(() => null)) ?? ''
  }

  /** Puts what is known of the token on a page that was made outside of the chain. */
  fillLate(response: Response): void {
    if (this.#isIn(response)) this.#replace(response)
  }

  async #fillNow(response: Response): Promise<Response> {
    this.#token = await csrfToken(this.#request)
    this.#replace(response)
    return response
  }

  #isIn({ body }: Response): boolean {
    return this.#mark !== '' && typeof body === 'string' && body.includes(this.#mark)
  }

  #replace(response: Response): void {
    const { body, headers } = response
    if (typeof body !== 'string') return
    response.replaceBody(body.replaceAll(this.#mark, this.#token))
    // The page is of one visitor, whatever the handler said: a cache would hand it to others.
    if (!/\b(?:private|no-store)\b/i.test(headers.get('Cache-Control') ?? '')) {
      headers.set('Cache-Control', 'private, no-cache')
    }
  }
}
