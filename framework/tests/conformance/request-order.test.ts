import assert from 'node:assert/strict'
import { test } from 'node:test'
import { Environments } from '../../src/settings/environments.ts'
import { Authentication } from '../../src/accounts/guards/authentication.ts'
import { SessionGuard } from '../../src/accounts/guards/session-guard.ts'
import { Csrf } from '../../src/http/middlewares/csrf.ts'
import { csrfToken } from '../../src/http/middlewares/csrf-token.ts'
import { Forms } from '../../src/http/middlewares/forms.ts'
import { RateLimit } from '../../src/http/middlewares/rate-limit.ts'
import { MemoryRateLimits } from '../../src/http/rate-limits/memory-rate-limits.ts'
import type { RateLimitResult, RateRule } from '../../src/http/rate-limits/rate-limit-store.ts'
import type { Middleware, MiddlewareObject } from '../../src/http/router/middleware.ts'
import { routeSet } from '../../src/http/router/route-set.ts'
import type { InjectedResponse, InjectedRequest } from '../../src/http/server/inject.ts'
import { Server } from '../../src/http/server/server.ts'
import { MemorySessions } from '../../src/http/session/memory-sessions.ts'
import type { SessionRow } from '../../src/http/session/session-store.ts'
import { Sessions } from '../../src/http/session/sessions.ts'

/** What requests have cost. */
interface Costs {
  hits: number
  reads: number
  writes: number
}

const nothing: Costs = { hits: 0, reads: 0, writes: 0 }

class CountedLimits extends MemoryRateLimits {
  readonly #costs: Costs

  constructor(costs: Costs) {
    super()
    this.#costs = costs
  }

  override hit(digest: string, rule: RateRule, now: number): RateLimitResult {
    this.#costs.hits += 1
    return super.hit(digest, rule, now)
  }
}

class CountedSessions extends MemorySessions {
  readonly #costs: Costs

  constructor(costs: Costs) {
    super()
    this.#costs = costs
  }

  override read(digest: string): ReturnType<MemorySessions['read']> {
    this.#costs.reads += 1
    return super.read(digest)
  }

  override create(digest: string, row: SessionRow): Promise<boolean> {
    this.#costs.writes += 1
    return super.create(digest, row)
  }
}

/** A site with `server.use(sessions, csrf, forms, …more)`, and a record of what ran. */
class Site {
  readonly costs: Costs = { ...nothing }
  readonly ran: string[] = []
  readonly server = new Server({ environment: Environments.Production, reporter: null })

  constructor(more: readonly Middleware[] = [], csrf: Middleware = new Csrf()) {
    const sessions = new Sessions(new CountedSessions(this.costs))
    this.server.rateLimits(new CountedLimits(this.costs))
    this.server.use(sessions, csrf, new Forms(), ...more)
    this.server.router.get('/token', (request) => csrfToken(request))
    this.server.router.get('/sign-in', ({ session }) => session.set('identity', '7'))
  }

  /** Adds a POST route. */
  post(path: string, middlewares: readonly Middleware[] = []): this {
    this.server.router.post(path, () => this.run(`handler of ${path}`), { middlewares })
    return this
  }

  run(name: string): string {
    this.ran.push(name)
    return name
  }

  /** A guard that runs `work` and lets everybody through. */
  guard(work: MiddlewareObject['process']): MiddlewareObject {
    return { phase: 'guard', process: work }
  }

  /** A cookie and a token. */
  async form(signIn: boolean = false): Promise<{ cookie: string; token: string }> {
    const page = await this.server.inject({ url: '/token' })
    const cookie = page.cookies[0]?.split(';')[0] ?? ''
    if (signIn) await this.server.inject({ url: '/sign-in', headers: { cookie } })
    this.costs.reads = 0
    this.costs.writes = 0
    return { cookie, token: page.text }
  }

  send(
    url: string,
    headers: Readonly<Record<string, string>> = {},
    body: InjectedRequest['body'] = new URLSearchParams({ a: 'b' }),
  ): Promise<InjectedResponse> {
    return this.server.inject({ method: 'POST', url, headers, body })
  }

  /** Sends a form that is a 400 if anybody reads it. */
  sendBroken(
    url: string,
    headers: Readonly<Record<string, string>> = {},
  ): Promise<InjectedResponse> {
    const type = { 'content-type': 'multipart/form-data; boundary=B' }
    return this.send(url, { ...type, ...headers }, '--B\r\nbroken')
  }
}

const limit = (of: number = 1): RateLimit => new RateLimit({ limit: of, window: 60 })
const signedIn = new Authentication(new SessionGuard())

test('a cross-site request spends nothing: no limit, no body, no session', async () => {
  const site = new Site().post('/limited', [limit()]).post('/open')
  for (const path of ['/limited', '/open']) {
    for (const headers of [
      { 'sec-fetch-site': 'cross-site' },
      { origin: 'https://evil.example' },
    ]) {
      const answer = await site.sendBroken(path, {
        cookie: `session=${'x'.repeat(43)}`,
        ...headers,
      })
      assert.equal(answer.status, 403, path)
      assert.match(answer.text, /Invalid CSRF token/)
      assert.deepEqual([answer.headers['x-ratelimit-limit'], answer.cookies], [undefined, []])
    }
  }
  assert.deepEqual(site.costs, nothing)
  assert.deepEqual(site.ran, [])
})

test('the limit of a server that is used before Csrf does not count cross-site requests either', async () => {
  const site = new Site()
  const server = new Server({ environment: Environments.Production, reporter: null })
  server.rateLimits(new CountedLimits(site.costs))
  server.use(limit(), new Sessions(new MemorySessions()), new Csrf())
  const ask = (headers: Record<string, string>): Promise<InjectedResponse> =>
    server.inject({ method: 'POST', url: '/nowhere', headers })
  assert.equal((await ask({ 'sec-fetch-site': 'cross-site' })).status, 403)
  assert.equal(site.costs.hits, 0)
  assert.deepEqual([(await ask({})).status, (await ask({})).status], [404, 429])
})

test('limits come first, then guards, and only then the body and its token', async () => {
  const site = new Site().post('/guarded', [limit(), signedIn])
  assert.equal((await site.sendBroken('/guarded')).status, 401)
  assert.equal((await site.sendBroken('/guarded')).status, 429)
  const member = new Site().post('/guarded', [limit(9), signedIn])
  const { cookie, token } = await member.form(true)
  assert.equal((await member.sendBroken('/guarded', { cookie })).status, 400)
  assert.equal((await member.send('/guarded', { cookie })).status, 403)
  assert.deepEqual(member.ran, [])
  const form = new URLSearchParams({ _token: token })
  assert.equal((await member.send('/guarded', { cookie }, form)).status, 200)
})

test('a path without a route is a 404 or 405, without a token and whatever the body', async () => {
  const site = new Site()
  const answers = [await site.sendBroken('/nowhere'), await site.sendBroken('/token')]
  assert.deepEqual(
    answers.map(({ status }) => status),
    [404, 405],
  )
  assert.deepEqual(site.costs, nothing)
})

test('no handler runs without a token: groups, sets, methods, and any kind of middleware', async () => {
  const site = new Site()
  const { router } = site.server
  const guard = site.guard((_request, _response, next) => next())
  const plain: Middleware = (_request, _response, next) => next()
  site
    .post('/plain')
    .post('/limited', [limit(99)])
    .post('/guarded', [guard, plain, guard])
  router.group('/group', (inner) => inner.post('/one', () => site.run('group')), [guard])
  router.group('/outer', (outer) =>
    outer.group('/inner', (inner) => inner.any('/any', () => site.run('nested'))),
  )
  router.on('PURGE', '/cache', () => site.run('purge'))
  const set = routeSet<object>('Notes', (own) => void own.put('/notes', () => site.run('set')))
  site.server.mount([set], {})
  const { cookie, token } = await site.form()
  for (const [method, url] of [
    ['POST', '/plain'],
    ['POST', '/limited'],
    ['POST', '/guarded'],
    ['POST', '/group/one'],
    ['DELETE', '/outer/inner/any'],
    ['PATCH', '/outer/inner/any'],
    ['PURGE', '/cache'],
    ['PUT', '/notes'],
  ] as const) {
    const ask = async (headers: Record<string, string>): Promise<number> =>
      (await site.server.inject({ method, url, headers })).status
    assert.equal(await ask({ cookie }), 403, url)
    assert.deepEqual(site.ran, [], url)
    assert.equal(await ask({ cookie, 'x-csrf-token': token }), 200, url)
    assert.equal(site.ran.splice(0).length, 1, url)
  }
})

test('a middleware that responds itself is protected, of the server as of a route', async () => {
  const answering: Middleware = (request, response, next) =>
    request.method === 'POST' ? response.text(site.run('middleware')) : next()
  const ofServer = (): Site => new Site([answering])
  const ofRoute = (): Site => {
    const own = new Site().post('/form', [answering, signedIn])
    own.server.router.group('/', (group) => group.post('/group', () => 'handler'), [answering])
    return own
  }
  let site = ofServer()
  for (const [open, paths] of [
    [ofServer, ['/form', '/nowhere']],
    [ofRoute, ['/form', '/group']],
  ] as const) {
    site = open()
    const { cookie, token } = await site.form()
    for (const path of paths) {
      assert.equal((await site.send(path, { cookie })).status, 403, path)
      assert.deepEqual(site.ran, [], path)
      // In the header, because a body is read only where there is a route.
      const headers = { cookie, 'x-csrf-token': token }
      assert.equal((await site.send(path, headers)).text, 'middleware', path)
      site.ran.length = 0
    }
  }
})

test('Csrf protects where it is called by other code, or used on a single route', async () => {
  const csrf = new Csrf()
  const calling: Middleware = (request, response, next) => csrf.process(request, response, next)
  const called = new Site([], calling).post('/form', [signedIn])
  const passing: Middleware = (_request, _response, next) => next()
  const routed = new Site([], passing).post('/form', [new Csrf(), signedIn])
  for (const site of [called, routed]) {
    const { cookie, token } = await site.form(true)
    assert.equal((await site.send('/form', { cookie })).status, 403)
    assert.deepEqual(site.ran, [])
    assert.equal((await site.send('/form', { cookie, 'x-csrf-token': token })).status, 200)
  }
  assert.equal((await called.sendBroken('/form')).status, 400, 'it reads the body at once')
  assert.equal((await routed.sendBroken('/form')).status, 401, 'it waits for the guard')
})

test('the token is that of the session the browser sent, whatever a guard makes of it', async () => {
  const site = new Site()
  const reviving = site.guard((request, _response, next) => {
    request.session.regenerate()
    request.session.set('identity', '7')
    return next()
  })
  site.post('/form', [reviving])
  const [ada, eve] = [await site.form(), await site.form()]
  const post = ({ cookie }: { cookie: string }, _token: string): Promise<InjectedResponse> =>
    site.send('/form', { cookie }, new URLSearchParams({ _token }))
  assert.equal((await post(eve, ada.token)).status, 403)
  const { status, cookies } = await post(ada, ada.token)
  assert.deepEqual([status, cookies.length], [200, 1])
})

test('a form whose session is over goes back to its page, unread; a guest is sent to sign in', async () => {
  const members = new Authentication(new SessionGuard(), {
    fallback: (_request, response) => response.redirect('/login'),
  })
  const site = new Site().post('/form', [members])
  const headers = { host: 'localhost', referer: 'http://localhost/page?a=1' }
  const location = async (cookie: string): Promise<string | undefined> =>
    (await site.sendBroken('/form', { ...headers, cookie })).headers['location']
  assert.equal(await location(`session=${'x'.repeat(43)}`), '/page?a=1')
  assert.equal(await location((await site.form()).cookie), '/login')
  const { headers: elsewhere } = await site.sendBroken('/form')
  assert.equal(elsewhere['location'], '/login')
})

test('an exempt request stays exempt, also from the check of the origin before a limit', async () => {
  const csrf = new Csrf({ except: ({ route }) => route === '/hook' })
  const site = new Site([], csrf).post('/hook', [limit()])
  const foreign = { origin: 'https://pay.example', 'sec-fetch-site': 'cross-site' }
  assert.deepEqual(
    [(await site.send('/hook', foreign)).status, (await site.send('/hook', foreign)).status],
    [200, 429],
  )
})
