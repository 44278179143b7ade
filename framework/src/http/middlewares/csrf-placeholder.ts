import { randomUUID } from 'node:crypto'
import { HttpError } from '../errors/http-error.ts'
import type { Request } from '../request/request.ts'
import type { Response } from '../response/response.ts'
import { csrfToken, presentCsrfToken, tokenField } from './csrf-token.ts'

/**
 * Stands for the token in the views of one response. Views are synchronous and cannot read the session,
 * and most pages have no form; so views print a placeholder, which is replaced only if it is there.
 */
export class CsrfPlaceholder {
  readonly #request: Request
  #text = ''
  #token = ''
  #isError = false

  constructor(request: Request) {
    this.#request = request
  }

  /** Values for `it` in views. On an error page `csrfToken` is empty if its forms could not be sent. */
  values(): Readonly<Record<string, string>> {
    // Random, so that no input of a visitor can be taken for it.
    if (this.#text === '') this.#text = `csrf-${randomUUID()}`
    const csrfToken = this.#isError && this.#token === '' ? '' : this.#text
    return { csrf: `<input type="hidden" name="${tokenField}" value="${csrfToken}">`, csrfToken }
  }

  /** Puts the token on a page with the placeholder. */
  fill(response: Response): Response | Promise<Response> {
    return !this.#isError && this.#isIn(response) ? this.#fillNow(response) : response
  }

  /**
   * Reads the token that an error page may need. None is created, because a failed request saves
   * nothing.
   * @throws `thrown`, always.
   */
  async afterError(thrown: unknown, response: Response): Promise<never> {
    await this.beforeError(thrown instanceof HttpError ? thrown.status : 500, response)
    throw thrown
  }

  /** The same for a status that is sent without an error; `fillLate` then fills the page. */
  async beforeError(status: number, response: Response): Promise<void> {
    this.#isError = true
    if (!response.hasView(`errors/${status}`)) return
    this.#token = (await presentCsrfToken(this.#request).catch(() => null)) ?? ''
  }

  /** Puts the token, if it was read, on a page rendered outside the middleware chain. */
  fillLate(response: Response): void {
    if (this.#isIn(response)) this.#replace(response)
  }

  async #fillNow(response: Response): Promise<Response> {
    this.#token = await csrfToken(this.#request)
    this.#replace(response)
    return response
  }

  #isIn({ body }: Response): boolean {
    return this.#text !== '' && typeof body === 'string' && body.includes(this.#text)
  }

  #replace(response: Response): void {
    const { body, headers } = response
    if (typeof body !== 'string') return
    response.replaceBody(body.replaceAll(this.#text, this.#token))
    // The page now belongs to one visitor: a shared cache must not keep it, whatever the handler set.
    if (!/\b(?:private|no-store)\b/i.test(headers.get('Cache-Control') ?? '')) {
      headers.set('Cache-Control', 'private, no-cache')
    }
  }
}
