import type { InjectedAnswer, InjectedRequest } from 'framework/http'
import type { ProjectServer } from 'framework/testing'
import { errorsOn, messageOn, tokenOn } from './read-page.ts'

export type Fields = Readonly<Record<string, string>>

/** The response to a form, and the page it redirects to. */
export interface Outcome {
  readonly status: number
  /** The path it redirects to. */
  readonly to: string | undefined
  /** The message on that page. */
  readonly message: string | null
  /** The field errors on that page. */
  readonly errors: Readonly<Record<string, string>>
  /** The HTML of that page. */
  readonly page: string
}

let count = 0

/** A browser that keeps cookies and has its own IP address. */
export class Visitor {
  readonly cookies: Map<string, string> = new Map()
  readonly address: string
  readonly #app: ProjectServer
  readonly #agent: string

  constructor(
    app: ProjectServer,
    agent: string = 'Mozilla/5.0 (X11; Linux) Firefox/140.0',
    address?: string,
  ) {
    count += 1
    this.address = address ?? `10.0.${count >> 8}.${count & 255}`
    this.#app = app
    this.#agent = agent
  }

  /** Makes a request and keeps the cookies of the response. */
  async ask(url: string, request: Omit<InjectedRequest, 'url'> = {}): Promise<InjectedAnswer> {
    const cookie = [...this.cookies].map(([name, value]) => `${name}=${value}`).join('; ')
    const headers = {
      accept: 'text/html',
      'user-agent': this.#agent,
      ...(cookie !== '' && { cookie }),
      ...request.headers,
    }
    const answer = await this.#app.inject({ address: this.address, ...request, url, headers })
    this.#keep(answer)
    return answer
  }

  /** Sends a form with its CSRF token and follows the redirect. */
  async submit(url: string, fields: Fields = {}): Promise<Outcome> {
    const body = new URLSearchParams({ _token: await this.token(), ...fields })
    return this.follow(await this.ask(url, { method: 'POST', body }))
  }

  /** Follows a redirect and reads the page. */
  async follow({ status, headers }: InjectedAnswer): Promise<Outcome> {
    const to = headers['location']
    const page = to === undefined ? '' : (await this.ask(to)).text
    return { status, to, message: messageOn(page), errors: errorsOn(page), page }
  }

  /** Sends JSON and accepts JSON. */
  async send(url: string, body: object = {}): Promise<InjectedAnswer> {
    const headers = { accept: 'application/json', 'x-csrf-token': await this.token() }
    return this.ask(url, { method: 'POST', body, headers })
  }

  /** The CSRF token of this visitor's forms. */
  async token(): Promise<string> {
    const { status, text, headers } = await this.ask('/login')
    // Whoever is signed in, or has to enter a code first, is redirected from that form to a page with one.
    return tokenOn(status === 200 ? text : (await this.ask(headers['location'] ?? '/')).text)
  }

  /** Whether the account page opens. */
  async isSignedIn(): Promise<boolean> {
    return (await this.ask('/account')).status === 200
  }

  #keep({ cookies }: InjectedAnswer): void {
    for (const line of cookies) {
      const [, name = '', value = ''] = /^([^=]+)=([^;]*)/.exec(line) ?? []
      if (/;\s*Max-Age=0\b/.test(line)) this.cookies.delete(name)
      else this.cookies.set(name, value)
    }
  }
}
