import { randomBytes, randomInt } from 'node:crypto'

const password = 'quiet copper lamp'

/**
 * A visitor with one session: cookies are kept, and each request comes from a new
 * address, so that rate limits do not stop a scanner.
 */
export class Guest {
  /** The account, for a signed-in visitor. */
  email = ''
  readonly cookies: Map<string, string> = new Map()
  readonly #site: string
  readonly #signsIn: boolean

  constructor(site: string, { signsIn }: { readonly signsIn: boolean }) {
    this.#site = site
    this.#signsIn = signsIn
  }

  /** The headers of the next request: the cookies and an unused address. */
  headers(): Record<string, string> {
    const cookie = [...this.cookies].map(([name, value]) => `${name}=${value}`).join('; ')
    const peer = `10.${randomInt(256)}.${randomInt(256)}.${randomInt(256)}`
    return { 'x-forwarded-for': peer, ...(cookie !== '' && { cookie }) }
  }

  /** Keeps the cookies of a response; returns whether there were any. */
  keep(lines: readonly string[]): boolean {
    for (const line of lines) {
      const [, name = '', value = ''] = /^([^=]+)=([^;]*)/.exec(line) ?? []
      if (/;\s*Max-Age=0\b/i.test(line)) this.cookies.delete(name)
      else this.cookies.set(name, value)
    }
    return lines.length > 0
  }

  /**
   * The CSRF token of this visitor. If a request signed the visitor in or out unexpectedly, a new
   * session is started.
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

  /**
   * Creates an account, which also signs in, and confirms, which opens every form for a quarter of an hour.
   * No rate limit counts what an account does.
   */
  async #register(): Promise<void> {
    this.email = `scan-${randomBytes(6).toString('hex')}@example.com`
    const body = new URLSearchParams({
      _token: (await this.#tokenOn('/register')) ?? '',
      email: this.email,
      password,
      password_confirmation: password,
    })
    await this.#fetch('/register', { method: 'POST', body })
    const proof = new URLSearchParams({ _token: (await this.#tokenOn('/confirm')) ?? '', password })
    await this.#fetch('/confirm/password', { method: 'POST', body: proof })
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
