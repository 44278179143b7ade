import assert from 'node:assert/strict'

type Fields = Readonly<Record<string, string>>

/** What came of a request, with where it led: `303 /account`. */
export interface MatrixAnswer {
  readonly outcome: string
  readonly text: string
}

/** A browser as far as cookies and forms go. A connection each, so that all workers get requests. */
export class MatrixVisitor {
  readonly cookies: Map<string, string> = new Map()
  readonly #site: string

  constructor(site: string) {
    this.#site = site
  }

  /** Asks for a page, by its path or by a link to it. */
  get(path: string): Promise<MatrixAnswer> {
    return this.#ask(path, {})
  }

  /** Fills in the form of a page and sends it where it goes: to the page itself unless given. */
  async submit(page: string, fields: Fields, action: string = page): Promise<string> {
    const { text } = await this.get(page)
    const [, token] = /name="_token" value="([^"]+)"/.exec(text) ?? []
    assert.ok(token !== undefined, `${page} has no form`)
    const body = new URLSearchParams({ _token: token, ...fields })
    return (await this.#ask(action, { method: 'POST', body })).outcome
  }

  /** Comes back after the browser was closed: its session is over, what it was to remember is not. */
  reopen(): void {
    assert.ok(this.cookies.delete('session'))
  }

  async #ask(path: string, request: RequestInit): Promise<MatrixAnswer> {
    const cookie = [...this.cookies].map(([name, value]) => `${name}=${value}`).join('; ')
    const answer = await fetch(new URL(path, this.#site), {
      ...request,
      redirect: 'manual',
      headers: { connection: 'close', accept: 'text/html', cookie },
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
