import assert from 'node:assert/strict'

type Fields = Readonly<Record<string, string>>

/** The status of a response and its redirect: `303 /account`. */
export interface MatrixAnswer {
  readonly outcome: string
  readonly text: string
}

/** A minimal browser with cookies and forms. Each request has its own connection, so that all workers get some. */
export class MatrixVisitor {
  readonly cookies: Map<string, string> = new Map()
  readonly #site: string
  readonly #headers: Fields

  /** `headers` are sent with each request. */
  constructor(site: string, headers: Fields = {}) {
    this.#site = site
    this.#headers = headers
  }

  /** Requests a page, by its path or by a link to it. */
  get(path: string): Promise<MatrixAnswer> {
    return this.#ask(path, {})
  }

  /** Fills in the form of a page and sends it, by default to the page itself. */
  async submit(page: string, fields: Fields, action: string = page): Promise<string> {
    const { text } = await this.get(page)
    const [, token] = /name="_token" value="([^"]+)"/.exec(text) ?? []
    assert.ok(token !== undefined, `${page} has no form`)
    const body = new URLSearchParams({ _token: token, ...fields })
    return (await this.#ask(action, { method: 'POST', body })).outcome
  }

  /** Closes and reopens the browser: its session ends, its remember cookie stays. */
  reopen(): void {
    assert.ok(this.cookies.delete('session'))
  }

  async #ask(path: string, request: RequestInit): Promise<MatrixAnswer> {
    const cookie = [...this.cookies].map(([name, value]) => `${name}=${value}`).join('; ')
    const answer = await fetch(new URL(path, this.#site), {
      ...request,
      redirect: 'manual',
      headers: { connection: 'close', accept: 'text/html', cookie, ...this.#headers },
    })
    for (const line of answer.headers.getSetCookie()) {
      const [, name = '', value = ''] = /^([^=]+)=([^;]*)/.exec(line) ?? []
      if (line.includes('; Max-Age=0;')) this.cookies.delete(name)
      else this.cookies.set(name, value)
    }
    const to = answer.headers.get('location')
    const outcome = to === null ? String(answer.status) : `${answer.status} ${to}`
    return { outcome, text: await answer.text() }
  }
}
