import { randomBytes, randomInt } from 'node:crypto'
import { setTimeout as sleep } from 'node:timers/promises'
import type { InjectedResponse } from '../../src/http/server/inject.ts'
import { Visitor } from '../../src/testing/visitor.ts'
import type { VisitedSite } from '../../src/testing/visitor.ts'
import { overHttp } from '../support/over-http.ts'
import type { History } from './history.ts'

const password = 'quiet copper lamp'
/** Longer than anything is disturbed. */
const patienceMs = 30_000

/** Somebody who uses the site: one thing after the other, as a browser would. */
export class Person {
  readonly email: string
  readonly #history: History
  readonly #site: VisitedSite
  #visitor: Visitor
  #isSignedIn = false
  #made = 0
  /** Whether it is not known if the last attempt to sign in or out has arrived. */
  #isUnsure = false
  readonly #pictures = new Map<string, Buffer>()

  constructor(url: string, name: string, history: History) {
    this.email = `${name}@example.com`
    this.#history = history
    const site = overHttp(url)
    // Everybody has an address of their own.
    this.#site = {
      inject: async ({ headers, address, ...request }) => {
        const sent = { ...headers, 'x-forwarded-for': address ?? '' }
        const late = new AbortController()
        const { method = 'GET', url } = request
        const lost = sleep(patienceMs, undefined, { signal: late.signal }).then(() => {
          history.wrong(
            'a request got no answer',
            `${method} ${url} at ${new Date().toISOString()}`,
          )
          throw new Error('no answer')
        })
        try {
          return await Promise.race([site.inject({ ...request, headers: sent }), lost])
        } finally {
          late.abort()
          lost.catch(() => {})
        }
      },
    }
    this.#visitor = this.#browser()
  }

  /** @throws AssertionError if the site refuses. */
  async register(): Promise<void> {
    const form = { name: this.email, email: this.email }
    const { message, errors } = await this.#visitor.submit('/register', {
      ...form,
      password,
      password_confirmation: password,
    })
    if (message === null) throw new Error(`not registered: ${JSON.stringify(errors)}`)
    this.#isSignedIn = true
  }

  /** Uses the site until told to stop. */
  async live(signal: AbortSignal): Promise<void> {
    while (!signal.aborted) {
      try {
        await this.#do(randomInt(20))
      } catch (error) {
        // The connection was cut, or a page is not what it should be: the site is being disturbed.
        if (!(error instanceof Error)) throw error
        this.#history.count('no answer')
        this.#isUnsure = true
      }
      await sleep(randomInt(10, 60), undefined, { signal }).catch(() => {})
    }
  }

  #do(what: number): Promise<void> {
    if (!this.#isSignedIn || this.#isUnsure) return this.#enter()
    if (what < 8) return this.#deposit(what < 3)
    if (what < 10) return this.#leave()
    if (what < 12) return this.#show()
    return this.#look()
  }

  #browser(): Visitor {
    return new Visitor(this.#site, { tokenPage: '/login' })
  }

  async #enter(): Promise<void> {
    const visitor = this.#browser()
    const token = await visitor.token()
    const body = new URLSearchParams({ _token: token, email: this.email, password })
    const answer = await visitor.ask('/login', { method: 'POST', body })
    this.#answered('sign-in', answer)
    if (answer.status !== 303 && answer.status !== 302) return
    if (answer.headers['location'] === '/login') return
    this.#visitor = visitor
    this.#isSignedIn = true
    this.#isUnsure = false
  }

  /** Signs out, after which the cookies of before are worth nothing. */
  async #leave(): Promise<void> {
    const old = this.#browser()
    for (const [name, value] of this.#visitor.cookies) old.cookies.set(name, value)
    const body = new URLSearchParams({ _token: await this.#visitor.token() })
    this.#isUnsure = true
    const answer = await this.#visitor.ask('/logout', { method: 'POST', body })
    this.#answered('sign-out', answer)
    if (answer.status >= 400) return
    this.#isSignedIn = false
    this.#isUnsure = false
    for (let turn = 0; turn < 3; turn += 1) {
      const shown = await old.ask('/ledger')
      if (shown.status !== 200) return
      if (ledgerOf(shown).email !== null) {
        this.#history.wrong('a session was valid after it had ended', this.email)
      }
    }
  }

  /** With a double click the form is sent twice at once. */
  async #deposit(isDouble: boolean): Promise<void> {
    const op = `${this.email.split('@')[0]}-${(this.#made += 1)}-${randomBytes(4).toString('hex')}`
    const visitor = this.#visitor
    const body = new URLSearchParams({ _token: await visitor.token(), op })
    const deposit = { op, person: this.email, isAcknowledged: false }
    this.#history.deposits.set(op, deposit)
    const send = (): Promise<InjectedResponse> => visitor.ask('/deposits', { method: 'POST', body })
    const sent = await Promise.allSettled(isDouble ? [send(), send()] : [send()])
    for (const answer of sent) {
      if (answer.status === 'rejected') throw answer.reason
      this.#answered('deposit', answer.value)
      if (answer.value.headers['location'] === '/ledger') deposit.isAcknowledged = true
      else this.#refused(answer.value)
    }
  }

  /** Reads the ledger: what was acknowledged before is in it, and nothing of others. */
  async #look(): Promise<void> {
    const before = [...this.#history.deposits.values()].filter(
      ({ person, isAcknowledged }) => person === this.email && isAcknowledged,
    )
    const shown = await this.#visitor.ask('/ledger')
    this.#answered('look', shown)
    if (shown.status !== 200) return
    const { email, ops } = ledgerOf(shown)
    if (email === null) return this.#signedOut()
    if (email !== this.email)
      this.#history.wrong('the page of somebody else', `${email} for ${this.email}`)
    const known = new Set(ops)
    for (const { op } of before) {
      if (!known.has(op)) this.#history.wrong('an acknowledged deposit is not in the ledger', op)
    }
    for (const op of known) {
      if (this.#history.deposits.get(op)?.person !== this.email) {
        this.#history.wrong('a deposit of somebody else in the ledger', op)
      }
    }
  }

  /** Uploads a picture, or looks at one of before. */
  async #show(): Promise<void> {
    const [known] = [...this.#pictures].slice(randomInt(this.#pictures.size + 1))
    if (known !== undefined) {
      const [name, bytes] = known
      const shown = await this.#visitor.ask(`/pictures/${name}`)
      this.#answered('picture', shown)
      if (shown.status === 200 && !bytes.equals(shown.bytes)) {
        this.#history.wrong('a picture is not what was uploaded', name)
      }
      if (shown.status === 404) this.#history.wrong('an acknowledged picture is lost', name)
      return
    }
    const name = `${this.email.split('@')[0]}-${randomBytes(6).toString('hex')}`
    const bytes = Buffer.concat([png, randomBytes(randomInt(1, 100_000))])
    const fields = { _token: await this.#visitor.token(), op: name }
    const [type, body] = multipart(fields, bytes)
    const headers = { 'content-type': type }
    const answer = await this.#visitor.ask('/pictures', { method: 'POST', headers, body })
    this.#answered('upload', answer)
    if (answer.headers['location'] === '/ledger') this.#pictures.set(name, bytes)
    else this.#refused(answer)
  }

  /** A redirect to the sign-in is a sign-out that nobody asked for. */
  #refused({ status, headers }: InjectedResponse): void {
    if (status < 400 && headers['location']?.startsWith('/login') === true) this.#signedOut()
  }

  #signedOut(): void {
    if (!this.#isUnsure) this.#history.wrong('somebody was signed out', this.email)
    this.#isSignedIn = false
  }

  #answered(what: string, { status }: InjectedResponse): void {
    this.#history.count(status < 400 ? what : `${what} ${status}`)
    if (status === 500) this.#history.count('500')
  }
}

interface Ledger {
  readonly email: string | null
  readonly ops: readonly string[]
}

function ledgerOf(shown: InjectedResponse): Ledger {
  const { email, ops }: { email: unknown; ops: unknown } = Object(shown.json())
  if (!Array.isArray(ops)) throw new Error('no ledger')
  return { email: typeof email === 'string' ? email : null, ops: ops.map(String) }
}

/** As much of a picture as its type is known by. */
const png = Buffer.from('89504e470d0a1a0a0000000d49484452', 'hex')

function multipart(fields: Readonly<Record<string, string>>, picture: Buffer): [string, Buffer] {
  const boundary = randomBytes(12).toString('hex')
  const head = (name: string, more = ''): string =>
    `--${boundary}\r\ncontent-disposition: form-data; name="${name}"${more}\r\n`
  const parts = Object.entries(fields).map(([name, value]) => `${head(name)}\r\n${value}\r\n`)
  const file = `${head('picture', '; filename="a.png"')}content-type: image/png\r\n\r\n`
  return [
    `multipart/form-data; boundary=${boundary}`,
    Buffer.concat([
      Buffer.from(parts.join('') + file),
      picture,
      Buffer.from(`\r\n--${boundary}--\r\n`),
    ]),
  ]
}
