import type { InjectedResponse, InjectedRequest } from '../../src/http/server/inject.ts'
import type { Server } from '../../src/http/server/server.ts'

/** The password of every account of the site. */
export const password = 'correct horse battery'

type Fields = Readonly<Record<string, string>>

/** A minimal browser that keeps cookies. */
export class AuthVisitor {
  readonly cookies: Map<string, string> = new Map()
  readonly #server: Server
  readonly #agent: string

  constructor(server: Server, agent: string) {
    this.#server = server
    this.#agent = agent
  }

  /** Makes a request and keeps the cookies of the response. */
  async ask(url: string, request: Partial<InjectedRequest> = {}): Promise<InjectedResponse> {
    const answer = await this.send(url, request)
    this.keep(answer)
    return answer
  }

  /** Makes a request without keeping its cookies yet. */
  send(url: string, request: Partial<InjectedRequest> = {}): Promise<InjectedResponse> {
    const cookie = [...this.cookies].map(([name, value]) => `${name}=${value}`).join('; ')
    const headers = {
      'user-agent': this.#agent,
      ...(cookie !== '' && { cookie }),
      ...request.headers,
    }
    return this.#server.inject({ ...request, url, headers })
  }

  /** Keeps the cookies of a response. */
  keep({ cookies }: InjectedResponse): void {
    for (const line of cookies) {
      const [, name = '', value = ''] = /^([^=]+)=([^;]*)/.exec(line) ?? []
      if (/; Max-Age=0;/.test(line)) this.cookies.delete(name)
      else this.cookies.set(name, value)
    }
  }

  /** Another browser with some or all of the same cookies. */
  copy(...names: readonly string[]): AuthVisitor {
    const copy = new AuthVisitor(this.#server, 'Thief')
    for (const [name, value] of this.cookies) {
      if (names.length === 0 || names.includes(name)) copy.cookies.set(name, value)
    }
    return copy
  }

  /** Closes and reopens the browser, which ends its session. */
  returns(): this {
    this.cookies.delete('session')
    return this
  }

  post(url: string, fields: Fields = {}): Promise<InjectedResponse> {
    return this.ask(url, { method: 'POST', body: new URLSearchParams(fields) })
  }

  logsIn(fields: Fields = {}): Promise<InjectedResponse> {
    return this.post('/login', { email: 'ada@example.com', password, ...fields })
  }

  /** Reads a session value. */
  async sees(key: string): Promise<unknown> {
    return (await this.send(`/session/${key}`)).json()
  }

  /** The account that the guarded route shows; null for a guest. */
  async is(): Promise<unknown> {
    const answer = await this.ask('/account')
    return answer.status === 200 ? Object(answer.json()).id : null
  }
}

/** The Set-Cookie lines of a response for one cookie. */
export function linesOf({ cookies }: InjectedResponse, name: string): readonly string[] {
  return cookies.filter((line) => line.startsWith(`${name}=`))
}

/** The headers of a browser navigation. */
export const navigation: Fields = {
  'sec-fetch-mode': 'navigate',
  'sec-fetch-dest': 'document',
  accept: 'text/html,application/xhtml+xml,*/*;q=0.8',
}
