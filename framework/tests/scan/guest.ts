import { randomBytes, randomInt } from 'node:crypto'

const password = 'quiet copper lamp'

/**
 * Somebody the site takes for one visitor: cookies are kept, and each request comes from another
 * address, so that limits leave every request of a scanner to the code behind them.
 */
export class Guest {
  /** Of the account, for somebody who signs in. */
  email = ''
  readonly cookies: Map<string, string> = new Map()
  readonly #site: string
  readonly #signsIn: boolean

  constructor(site: string, { signsIn }: { readonly signsIn: boolean }) {
    this.#site = site
    this.#signsIn = signsIn
  }

  /** Headers of a next request: the cookies, and an address that nobody had yet. */
  headers(): Record<string, string> {
    const cookie = [...this.cookies].map(([name, value]) => `${name}=${value}`).join('; ')
    const peer = `10.${randomInt(256)}.${randomInt(256)}.${randomInt(256)}`
    return { 'x-forwarded-for': peer, ...(cookie !== '' && { cookie }) }
  }

  /** Keeps what an answer sets; whether it was anything. */
  keep(lines: readonly string[]): boolean {
    for (const line of lines) {
      const [, name = '', value = ''] = /^([^=]+)=([^;]*)/.exec(line) ?? []
      if (/;\s*Max-Age=0\b/i.test(line)) this.cookies.delete(name)
      else this.cookies.set(name, value)
    }
    return lines.length > 0
  }

  /**
   * The token of this visitor's forms. Whoever was signed in by a request and should not be, or the
   * other way round, begins anew.
   */
  async token(): Promise<string> {
    const page = this.#signsIn ? '/password' : '/forgot'
    const first = await this.#tokenOn(page)
    if (first !== null) return first
    this.cookies.clear()
    if (this.#signsIn) await this.#register()
    const second = await this.#tokenOn(page)
    if (second === null) throw new Error(`${page} shows no form to who should see one`)
    return second
  }

  /** Makes an account: whoever registers is signed in, and no limit counts what an account does. */
  async #register(): Promise<void> {
    this.email = `scan-${randomBytes(6).toString('hex')}@example.com`
    const body = new URLSearchParams({
      _token: (await this.#tokenOn('/register')) ?? '',
      email: this.email,
      password,
      password_confirmation: password,
    })
    await this.#fetch('/register', { method: 'POST', body })
  }

  async #tokenOn(page: string): Promise<string | null> {
    const text = await (await this.#fetch(page)).text()
    return / name="_token" value="([^"]+)"/.exec(text)?.[1] ?? null
  }

  async #fetch(path: string, init: RequestInit = {}): Promise<Response> {
    const headers = { accept: 'text/html', ...this.headers() }
    const answer = await fetch(this.#site + path, { ...init, headers, redirect: 'manual' })
    this.keep(answer.headers.getSetCookie())
    return answer
  }
}
