import { epochSeconds } from '../base/time/epoch-seconds.ts'
import type { InjectedResponse, InjectedRequest } from '../http/server/inject.ts'
import { fillForm } from './fill-form.ts'
import type { FilledFields } from './fill-form.ts'
import { TestStream } from './test-stream.ts'
import { linkNamed, errorsOn, messageOn, tokenOn } from './read-page.ts'

/** Options of a visitor. */
export interface VisitorOptions {
  /** The `User-Agent` header. @default a Firefox on Linux */
  readonly agent?: string
  /** The IP address. @default one that no other visitor of this process has */
  readonly address?: string
  /** A page with a form, from which `submit` and `send` take the CSRF token. @default '/' */
  readonly tokenPage?: string
}

/** The response to a form, and the page that a browser shows then. */
export interface Outcome {
  /** The status of the response to the form. */
  readonly status: number
  /** Where that response redirects to. */
  readonly to: string | undefined
  /** The flash message on the page; null if there is none. */
  readonly message: string | null
  /** The errors on the page, by field. */
  readonly errors: Readonly<Record<string, string>>
  /** The HTML of the page. */
  readonly page: string
}

/** What a visitor sends its requests to. */
export interface VisitedSite {
  inject(request: InjectedRequest): Promise<InjectedResponse>
}

const maxRedirects = 10
let visitors = 0

/** A browser without JavaScript: it keeps cookies, follows redirects and fills in forms. */
export class Visitor {
  readonly cookies: Map<string, string> = new Map()
  readonly address: string
  readonly #site: VisitedSite
  readonly #agent: string
  readonly #tokenPage: string
  /** Epoch seconds at which cookies end, by name; those of the session are not in it. */
  readonly #ends = new Map<string, number>()
  #url = '/'
  #page = ''

  constructor(site: VisitedSite, options: VisitorOptions = {}) {
    const { agent = 'Mozilla/5.0 (X11; Linux) Firefox/140.0', address, tokenPage = '/' } = options
    visitors += 1
    this.address = address ?? `10.${visitors >> 16}.${(visitors >> 8) & 255}.${visitors & 255}`
    this.#site = site
    this.#agent = agent
    this.#tokenPage = tokenPage
  }

  /** Makes one request and keeps the cookies of the response. */
  async ask(url: string, request: Omit<InjectedRequest, 'url'> = {}): Promise<InjectedResponse> {
    this.#dropExpired()
    const cookie = Array.from(this.cookies, ([name, value]) => `${name}=${value}`).join('; ')
    const headers = {
      accept: 'text/html',
      'user-agent': this.#agent,
      ...(cookie !== '' && { cookie }),
      ...request.headers,
    }
    const response = await this.#site.inject({ address: this.address, ...request, url, headers })
    this.#keep(response)
    return response
  }

  /** Opens a page, follows redirects, and returns what is shown then. */
  async open(url: string): Promise<Outcome> {
    return this.#show(url, await this.ask(url))
  }

  /**
   * Fills in fields of a form on the open page, by label or name, and sends it with all its other fields,
   * such as its CSRF token: `fill({ 'E-mail': 'ada@example.com', Password: '…' })`.
   * @throws AssertionError if no form of the page has all these fields.
   */
  async fill(fields: FilledFields, { press }: { readonly press?: string } = {}): Promise<Outcome> {
    const { url, ...request } = await fillForm(this.#page, fields, { press, url: this.#url })
    return this.#show(url, await this.ask(url, request))
  }

  /** Presses a button on the open page, by its text. */
  press(button: string): Promise<Outcome> {
    return this.fill({}, { press: button })
  }

  /**
   * Follows a link on the open page, by its text or `aria-label`.
   * @throws AssertionError if there is none, or if it leads to another site.
   */
  async click(link: string): Promise<Outcome> {
    return this.open(linkNamed(this.#page, link, this.#url))
  }

  /** Sends fields to a path, as a form with a valid CSRF token, and follows redirects. */
  async submit(url: string, fields: Readonly<Record<string, string>> = {}): Promise<Outcome> {
    const body = new URLSearchParams({ _token: await this.token(), ...fields })
    return this.#show(url, await this.ask(url, { method: 'POST', body }))
  }

  /** Follows the redirect of a response and reads the page. */
  follow(response: InjectedResponse): Promise<Outcome> {
    return this.#show(this.#url, response)
  }

  /** Sends JSON with a valid CSRF token, and accepts JSON. */
  async send(url: string, body: object = {}): Promise<InjectedResponse> {
    const headers = { accept: 'application/json', 'x-csrf-token': await this.token() }
    return this.ask(url, { method: 'POST', body, headers })
  }

  /**
   * Opens an event stream, as `EventSource` does.
   * @throws AssertionError if the response is none.
   */
  stream(url: string): Promise<TestStream> {
    return TestStream.open(({ headers, ...request }) =>
      this.ask(url, { ...request, headers: { accept: 'text/event-stream', ...headers } }),
    )
  }

  /** The CSRF token of this visitor's forms; empty if the page has none. */
  async token(): Promise<string> {
    // Whoever is signed in, or has to enter a code first, is redirected to a page with one.
    const { shown } = await this.#arrive(this.#tokenPage, await this.ask(this.#tokenPage))
    return tokenOn(shown.text)
  }

  async #show(url: string, response: InjectedResponse): Promise<Outcome> {
    const { at, shown } = await this.#arrive(url, response)
    const page = shown.text
    this.#url = at
    this.#page = page
    const { status, headers } = response
    const to = headers['location']
    return { status, to, message: messageOn(page), errors: errorsOn(page), page }
  }

  /** The last response of a chain of redirects, and where it came from. */
  async #arrive(
    url: string,
    response: InjectedResponse,
  ): Promise<{ readonly at: string; readonly shown: InjectedResponse }> {
    let at = url
    let shown = response
    for (let left = maxRedirects; left > 0; left -= 1) {
      const next = redirectOf(shown)
      if (next === null) break
      at = next
      shown = await this.ask(next)
    }
    return { at, shown }
  }

  #keep({ cookies }: InjectedResponse): void {
    for (const line of cookies) {
      const [, name = '', value = ''] = /^([^=]+)=([^;]*)/.exec(line) ?? []
      const [, seconds] = /;\s*Max-Age=(-?\d+)/i.exec(line) ?? []
      this.cookies.set(name, value)
      if (seconds === undefined) this.#ends.delete(name)
      else this.#ends.set(name, epochSeconds() + Number(seconds))
    }
    this.#dropExpired()
  }

  #dropExpired(): void {
    const now = epochSeconds()
    for (const [name, ends] of this.#ends) {
      if (ends > now) continue
      this.#ends.delete(name)
      this.cookies.delete(name)
    }
  }
}

/** Where a response redirects to inside the site; other sites are not part of the test. */
function redirectOf({ status, headers }: InjectedResponse): string | null {
  const target = headers['location'] ?? ''
  return status >= 300 && status < 400 && /^\/(?![/\\])/.test(target) ? target : null
}
