import type { InjectedAnswer, InjectedRequest } from 'framework/http'
import type { ProjectServer } from 'framework/testing'
import { errorsOn, messageOn, tokenOn } from './read-page.ts'

export type Fields = Readonly<Record<string, string>>

/** What somebody sees after a form was sent. */
export interface Outcome {
  readonly status: number
  /** Where the answer leads. */
  readonly to: string | undefined
  /** The message on the page it leads to. */
  readonly message: string | null
  /** What that page says about the fields. */
  readonly errors: Readonly<Record<string, string>>
  /** That page. */
  readonly page: string
}

let born = 0

/** Somebody with a browser, which keeps cookies, and an address of their own. */
export class Visitor {
  readonly cookies: Map<string, string> = new Map()
  readonly address: string
  readonly #app: ProjectServer
  readonly #agent: string

  constructor(app: ProjectServer, agent: string = 'Mozilla/5.0 (X11; Linux) Firefox/140.0') {
    born += 1
    this.address = `10.0.${born >> 8}.${born & 255}`
    this.#app = app
    this.#agent = agent
  }

  /** Makes a request and keeps the cookies of the answer. */
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

  /** Sends a form with the token that belongs to it, and goes where the answer leads. */
  async submit(url: string, fields: Fields = {}): Promise<Outcome> {
    const body = new URLSearchParams({ _token: await this.token(), ...fields })
    return this.follow(await this.ask(url, { method: 'POST', body }))
  }

  /** Goes where an answer leads, and reads what stands there. */
  async follow({ status, headers }: InjectedAnswer): Promise<Outcome> {
    const to = headers['location']
    const page = to === undefined ? '' : (await this.ask(to)).text
    return { status, to, message: messageOn(page), errors: errorsOn(page), page }
  }

  /** Sends JSON and wants JSON, as a script does. */
  async send(url: string, body: object = {}): Promise<InjectedAnswer> {
    const headers = { accept: 'application/json', 'x-csrf-token': await this.token() }
    return this.ask(url, { method: 'POST', body, headers })
  }

  /** The token of this visitor's forms. */
  async token(): Promise<string> {
    const { status, text } = await this.ask('/login')
    // Who is signed in has no use for that form; theirs is the button that signs out.
    return tokenOn(status === 200 ? text : (await this.ask('/')).text)
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
