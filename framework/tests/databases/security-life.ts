import assert from 'node:assert/strict'
import { randomBytes } from 'node:crypto'
import { inspect } from 'node:util'
import { Credentials } from '../../src/accounts/changes/credentials.ts'
import { Purposes } from '../../src/accounts/tokens/token.ts'
import { Tokens } from '../../src/accounts/tokens/tokens.ts'
import { Trust } from '../../src/accounts/devices/trust.ts'
import { Users } from '../../src/accounts/users.ts'
import { createThrowables } from '../../src/errors/throwables/throwables.ts'
import type { Database } from '../../src/database/surface.ts'
import type { InjectedResponse } from '../../src/http/server/inject.ts'
import type { SecretScan } from './secret-scan.ts'
import type { SecuritySite } from './security-site.ts'
import { noSessions } from '../support/no-sessions.ts'

/** Everything that can happen to accounts, and what is left over afterwards. */
export class SecurityLife {
  readonly #site: SecuritySite
  readonly #scan: SecretScan
  readonly #database: Database

  constructor(site: SecuritySite, scan: SecretScan, database: Database) {
    this.#site = site
    this.#scan = scan
    this.#database = database
  }

  /** A password, which is a secret from now on. */
  newPassword(): string {
    const password = `pässword "${randomBytes(12).toString('base64url')}" %`
    this.#scan.add(password)
    return password
  }

  /** The whole life of an account, which ends signed out. */
  async whole(email: string): Promise<void> {
    const [first, second, third] = [this.newPassword(), this.newPassword(), this.newPassword()]
    const home = this.#browser()
    assert.equal((await home.post('/register', { email, password: first })).text, 'complete')
    await this.#site.drain()
    assert.equal((await home.get(this.#lastLink('/verification'))).text, 'verified')
    const phone = this.#browser()
    const wrong = this.newPassword()
    await phone.post('/login', { email, password: wrong })
    await home.post('/login', { email, password: this.newPassword() })
    await phone.post('/login', { email: `nobody-${email}`, password: this.newPassword() })
    await phone.post('/login', { email: this.newPassword(), password: first })
    assert.equal(
      (await phone.post('/login', { email, password: first, remember: '1' })).text,
      'complete',
    )
    const stolen = phone.copy()
    phone.forgetSession()
    assert.match((await phone.get('/account')).text, /^\d+$/)
    stolen.forgetSession()
    assert.equal((await stolen.get('/account')).status, 303)
    assert.equal((await phone.get('/account')).status, 303, 'the theft ended it')
    await home.post('/forgot', { email })
    await this.#site.drain()
    const link = this.#lastLink('/reset')
    assert.equal((await home.post(`${link.slice(0, -1)}x`, { password: second })).text, 'invalid')
    assert.equal((await home.post(link, { password: second })).text, 'reset')
    assert.equal(
      (await home.post('/login', { email, password: second, remember: '1' })).text,
      'complete',
    )
    assert.equal((await home.post('/password', { current: wrong, password: third })).text, 'wrong')
    assert.equal(
      (await home.post('/password', { current: second, password: third })).text,
      'changed',
    )
    const [inPath, inQuery] = [this.newPassword(), third].map(encodeURIComponent)
    const broken = `/broken/${inPath}?token=${inQuery}`
    assert.equal((await home.post(broken, { email, password: third })).status, 500)
    assert.equal((await home.post('/logout', {})).text, 'out')
  }

  /** An account that stays signed in, on a device, with links in the mail that nobody has opened. */
  async open(email: string): Promise<void> {
    const browser = this.#browser()
    const password = this.newPassword()
    await browser.post('/register', { email, password })
    await this.#site.drain({ refused: true })
    await browser.post('/login', { email, password, remember: '1' })
    await browser.post('/forgot', { email })
  }

  /** Links to mailboxes that nobody has opened: to a new one, to a former one, and to keep the account. */
  async mailboxes(email: string): Promise<void> {
    const { users, emailChange, deletion } = this.#site
    const id = (await users.fetch(email))?.id ?? ''
    await users.confirm(id)
    const ask = async (wanted: string) => {
      const asked = (await emailChange.request(id, wanted, { keep: null })) ?? assert.fail()
      this.#scan.add(asked.token.value.slice(17))
      this.#scan.add(asked.binding)
      return asked
    }
    const { token, binding } = await ask(`first-${email}`)
    const options = { keep: null, device: null, binding }
    const made = await emailChange.complete(token.value, id, options)
    assert.ok(made !== null && made !== 'taken' && made.undo !== null)
    this.#scan.add(made.undo.value.slice(17))
    await ask(`second-${email}`)
    const kept = (await deletion.request(id, { keep: null, device: null })) ?? assert.fail()
    this.#scan.add(kept.value.slice(17))
  }

  /** What goes wrong around secrets; the texts of all failures. */
  async failures(): Promise<string> {
    const { credentials, users, tokens, trust, password } = this.#site
    const secret = this.newPassword()
    const missing = { table: 'missing', throwables: createThrowables() }
    const texts: string[] = []
    missing.throwables.reporters.push((error) => texts.push(inspect(error, { depth: null })))
    const strangers = new Users(this.#database, password, missing)
    await strangers.enroll('eve@x.org', secret)
    await strangers.verify('eve@x.org', secret)
    await strangers.check(secret, secret)
    await strangers.rotate('1', secret)
    const noTokens = new Tokens(this.#database, missing)
    const noTrust = new Trust(this.#database, missing)
    const token = await tokens.mint('1', Purposes.Verification)
    const device = await trust.issue('1')
    for (const { value } of [token, device]) this.#scan.add(value.slice(17))
    await noTokens.redeem(token.value, Purposes.Verification)
    await noTrust.rotate(device.value)
    const broken = new Credentials(this.#database, password, {
      sessions: () => ({ ...noSessions, destroyOf: () => Promise.reject(new Error('away')) }),
      trust: missing,
    })
    const attempts = [
      () => password.hash(secret + 'x'.repeat(2000)),
      () => users.store('1', secret),
      () => users.find(secret),
      () => noTokens.mint('1', Purposes.Recovery),
      () => noTrust.issue('1'),
      () => trust.rotate(device.value, 0),
      () => broken.change('1', secret, { keep: null }),
      () => credentials.reset(secret, secret),
    ]
    for (const attempt of attempts) {
      await attempt().catch((error: unknown) => texts.push(inspect(error, { depth: null })))
    }
    texts.push(
      inspect([token, device], { depth: null, showHidden: true }),
      JSON.stringify([token, device]),
    )
    assert.ok(texts.length >= 9)
    return texts.join('\n')
  }

  #browser(): Browser {
    return new Browser(this.#site, this.#scan)
  }

  #lastLink(page: string): string {
    const text = this.#site.lane.mails.at(-1)?.text ?? ''
    const [, path = ''] = /https:\/\/shop\.example\/\w+(\/\S+)/.exec(text) ?? []
    return (page === '/verification' ? '/verify' : page) + path
  }
}

/** A browser as far as cookies go; every cookie it gets is a secret. */
class Browser {
  readonly #site: SecuritySite
  readonly #scan: SecretScan
  readonly #cookies: Map<string, string>

  constructor(
    site: SecuritySite,
    scan: SecretScan,
    cookies: ReadonlyMap<string, string> = new Map(),
  ) {
    this.#site = site
    this.#scan = scan
    this.#cookies = new Map(cookies)
  }

  /** Somebody else who has read all its cookies. */
  copy(): Browser {
    return new Browser(this.#site, this.#scan, this.#cookies)
  }

  forgetSession(): void {
    this.#cookies.delete('session')
  }

  get(url: string): Promise<InjectedResponse> {
    return this.#send({ url })
  }

  post(url: string, fields: Record<string, string>): Promise<InjectedResponse> {
    return this.#send({ url, method: 'POST', body: new URLSearchParams(fields) })
  }

  async #send(request: {
    url: string
    method?: string
    body?: URLSearchParams
  }): Promise<InjectedResponse> {
    const cookie = [...this.#cookies].map(([name, value]) => `${name}=${value}`).join('; ')
    const headers = { 'user-agent': 'test', ...(cookie !== '' && { cookie }) }
    const answer = await this.#site.server.inject({ ...request, headers })
    for (const line of answer.cookies) this.#keep(line)
    return answer
  }

  #keep(line: string): void {
    const [, name = '', value = ''] = /^([^=]+)=([^;]*)/.exec(line) ?? []
    if (value === '' || /max-age=0/i.test(line)) {
      this.#cookies.delete(name)
      return
    }
    this.#cookies.set(name, value)
    // Of a token only the second half is secret.
    this.#scan.add(name === 'session' ? value : value.slice(17))
  }
}
