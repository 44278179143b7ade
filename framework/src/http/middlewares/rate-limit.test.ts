import assert from 'node:assert/strict'
import { test } from 'node:test'
import { Environments } from '../../settings/environments.ts'
import { normalEmail } from '../../accounts/email-address.ts'
import { MemoryRateLimits } from '../rate-limits/memory-rate-limits.ts'
import type { RateLimitStore, RateLimitResult } from '../rate-limits/rate-limit-store.ts'
import type { InjectedResponse, InjectedRequest } from '../server/inject.ts'
import type { ServerOptions } from '../server/options.ts'
import { Server } from '../server/server.ts'
import { fieldKey, RateLimit } from './rate-limit.ts'
import type { RateLimitOptions } from './rate-limit.ts'

/** A clock that stands still until it is moved. */
class Clock {
  now = 1_700_000_000
  readonly read = (): number => this.now
}

interface Limited {
  readonly server: Server
  readonly clock: Clock
  readonly ask: (request?: Partial<InjectedRequest>) => Promise<InjectedResponse>
}

/** A server whose route `/` has a limit of two a minute, unless told otherwise. */
function limited(options: Partial<RateLimitOptions> = {}, configured: ServerOptions = {}): Limited {
  const clock = new Clock()
  const limit = new RateLimit({ limit: 2, window: 60, clock: clock.read, ...options })
  const server = new Server({ environment: Environments.Production, reporter: null })
  server.configure(configured)
  server.router.any('/', () => 'in', { middlewares: [limit] })
  return { server, clock, ask: (request) => server.inject({ url: '/', ...request }) }
}

async function statuses(answers: readonly Promise<InjectedResponse>[]): Promise<number[]> {
  return (await Promise.all(answers)).map(({ status }) => status)
}

test('as many requests as the limit are let through in a window, the next is a 429', async () => {
  const { ask, clock } = limited()
  assert.deepEqual(await statuses([ask(), ask(), ask()]), [200, 200, 429])
  clock.now += 60
  assert.equal((await ask()).status, 200)
})

test('headers tell limit, remaining requests and the epoch second of the reset', async () => {
  const { ask, clock } = limited()
  const { headers } = await ask()
  assert.equal(headers['x-ratelimit-limit'], '2')
  assert.equal(headers['x-ratelimit-remaining'], '1')
  assert.equal(headers['x-ratelimit-reset'], String(clock.now + 60))
  assert.equal(headers['retry-after'], undefined)
})

test('a 429 has Retry-After, and a JSON client gets JSON', async () => {
  const { ask, clock } = limited()
  await ask()
  await ask()
  clock.now += 17.4
  const page = await ask()
  assert.equal(page.status, 429)
  assert.match(page.text, /<h1>429<\/h1><p>Too Many Requests<\/p>/)
  assert.equal(page.headers['retry-after'], '43')
  assert.equal(page.headers['x-ratelimit-limit'], '2')
  assert.equal(page.headers['x-ratelimit-remaining'], '0')
  assert.equal(page.headers['cache-control'], 'no-store')
  const json = await ask({ headers: { accept: 'application/json' } })
  assert.deepEqual(json.json(), { error: 'Too Many Requests' })
})

test('an answer that fails carries the headers too', async () => {
  const { server } = limited()
  const limit = new RateLimit({ limit: 2, window: 60 })
  server.router.get('/fails', () => Promise.reject(new Error('planted')), { middlewares: [limit] })
  const { status, headers } = await server.inject({ url: '/fails' })
  assert.deepEqual([status, headers['x-ratelimit-remaining']], [500, '1'])
})

test('without a key each peer has its own counter, and addresses of one /64 share it', async () => {
  const { ask } = limited({ limit: 1 })
  const from = (address: string): Promise<InjectedResponse> => ask({ address })
  assert.deepEqual(await statuses([from('192.0.2.1'), from('192.0.2.2')]), [200, 200])
  assert.deepEqual(
    await statuses([from('2001:db8::1'), from('2001:db8::ffff'), from('2001:db8:0:1::1')]),
    [200, 429, 200],
  )
  assert.equal((await from('::ffff:192.0.2.1')).status, 429)
})

test('an IPv6 /56 allows four times the limit and a /48 sixteen times, with the same 429', async () => {
  const { ask, clock } = limited()
  const from = (network: number, of: number = 1): Promise<InjectedResponse> =>
    ask({ address: `2001:db8:${of}:${network.toString(16)}::1` })
  const allowed: number[] = []
  // Two requests of each /64, in order: 256 of them are a /56, 65,536 a /48.
  for (let network = 0; network < 0x1400; network += 0x40) {
    for (const { status } of [await from(network), await from(network)]) {
      if (status === 200) allowed.push(network >> 8)
    }
  }
  const perHousehold = [0, 1, 2, 3].map((of) => allowed.filter((at) => at === of).length)
  assert.deepEqual(perHousehold, [8, 8, 8, 8])
  assert.equal(allowed.length, 32)
  const refused = await from(0x4000)
  assert.equal(refused.status, 429)
  assert.deepEqual(
    ['limit', 'remaining', 'reset'].map((name) => refused.headers[`x-ratelimit-${name}`]),
    ['2', '0', String(clock.now + 60)],
  )
  assert.equal(refused.headers['retry-after'], '60')
  assert.equal((await from(0, 2)).status, 200)
})

test('what a wider network refuses is not counted in the narrower ones', async () => {
  const { ask, clock } = limited({ limit: 1 })
  const from = (address: string): Promise<InjectedResponse> => ask({ address })
  for (let network = 0; network < 4; network += 1) await from(`2001:db8:0:${network}::1`)
  clock.now += 30
  assert.equal((await from('2001:db8:0:9::1')).status, 429)
  clock.now += 30
  assert.equal((await from('2001:db8:0:9::1')).status, 200)
})

test('a forwarded address counts only from a trusted proxy', async () => {
  const headers = (address: string): Partial<InjectedRequest> => ({
    address: '10.0.0.1',
    headers: { 'x-forwarded-for': address },
  })
  const open = limited({ limit: 1 })
  assert.deepEqual(
    await statuses([open.ask(headers('192.0.2.1')), open.ask(headers('192.0.2.2'))]),
    [200, 429],
  )
  const trusting = limited({ limit: 1 }, { trustedProxies: ['10.0.0.0/8'] })
  assert.deepEqual(
    await statuses([trusting.ask(headers('192.0.2.1')), trusting.ask(headers('192.0.2.2'))]),
    [200, 200],
  )
})

test('two routes never share a counter, though they share the key and the store', async () => {
  const store = new MemoryRateLimits()
  const server = new Server({ environment: Environments.Test }).rateLimits(store)
  const key = (): string => 'everybody'
  const shared = new RateLimit({ limit: 1, window: 60, key })
  server.router.get('/one', () => 'one', { middlewares: [shared] })
  server.router.post('/one', () => 'one', { middlewares: [shared] })
  server.router.get('/two/:id', () => 'two', {
    middlewares: [new RateLimit({ limit: 1, window: 60, key })],
  })
  const requests: InjectedRequest[] = [
    { url: '/one' },
    { url: '/one', method: 'POST' },
    { url: '/two/1' },
    { url: '/two/2' },
  ]
  assert.deepEqual(
    await statuses(requests.map((request) => server.inject(request))),
    [200, 200, 200, 429],
  )
})

test('HEAD is no way around the limit of the GET route', async () => {
  const { ask } = limited({ limit: 1 })
  assert.deepEqual(await statuses([ask(), ask({ method: 'HEAD' })]), [200, 429])
})

test('a name in place of the route makes limits share a counter on purpose', async () => {
  const server = new Server({ environment: Environments.Test }).rateLimits(new MemoryRateLimits())
  for (const path of ['/one', '/two']) {
    const limit = new RateLimit({ limit: 1, window: 60, name: 'both' })
    server.router.get(path, () => 'in', { middlewares: [limit] })
  }
  assert.deepEqual(
    await statuses([server.inject({ url: '/one' }), server.inject({ url: '/two' })]),
    [200, 429],
  )
})

test('several limits on one route count apart, and headers show the one with the least room', async () => {
  const clock = new Clock()
  const server = new Server({ environment: Environments.Test }).rateLimits(new MemoryRateLimits())
  const byName = new RateLimit({
    limit: 3,
    window: 3600,
    key: fieldKey('email'),
    clock: clock.read,
  })
  const byPeer = new RateLimit({ limit: 2, window: 60, clock: clock.read })
  server.router.post('/login', () => 'in', { middlewares: [byPeer, byName] })
  const login = (email: string, address: string): Promise<InjectedResponse> =>
    server.inject({ method: 'POST', url: '/login', address, body: new URLSearchParams({ email }) })
  const shown = ({ status, headers }: InjectedResponse): string =>
    `${status} ${headers['x-ratelimit-limit']}/${headers['x-ratelimit-remaining']}`
  assert.equal(shown(await login('a@example.org', '192.0.2.1')), '200 2/1')
  assert.equal(shown(await login('a@example.org', '192.0.2.1')), '200 2/0')
  assert.equal(shown(await login('a@example.org', '192.0.2.1')), '429 2/0')
  assert.equal(shown(await login(' A@Example.org', '192.0.2.2')), '200 3/0')
  assert.equal(shown(await login('a@example.org', '192.0.2.3')), '429 3/0')
  assert.equal(shown(await login('b@example.org', '192.0.2.3')), '200 2/0')
  clock.now += 60
  assert.equal(shown(await login('a@example.org', '192.0.2.1')), '429 3/0')
})

test('limits with the same key and different numbers on one route count apart', async () => {
  const clock = new Clock()
  const server = new Server({ environment: Environments.Test }).rateLimits(new MemoryRateLimits())
  const burst = new RateLimit({ limit: 2, window: 1, clock: clock.read })
  const steady = new RateLimit({ limit: 3, window: 60, clock: clock.read })
  server.router.get('/', () => 'in', { middlewares: [burst, steady] })
  const ask = async (): Promise<number> => (await server.inject({ url: '/' })).status
  assert.deepEqual([await ask(), await ask(), await ask()], [200, 200, 429])
  clock.now += 1
  assert.deepEqual([await ask(), await ask()], [200, 429])
})

test('a field of a JSON body is a key as well; a request without it is not counted', async () => {
  const { ask } = limited({ limit: 1, key: fieldKey('email') })
  const post = (body: object | string): Promise<InjectedResponse> => ask({ method: 'POST', body })
  const same = { email: 'a@example.org' }
  assert.deepEqual(await statuses([post(same), post(same)]), [200, 429])
  for (const body of [{}, { email: 7 }, 'text', { email: ' ' }, { toString: 1 }]) {
    assert.deepEqual(await statuses([post(body), post(body)]), [200, 200])
  }
  assert.equal((await ask({ method: 'POST' })).headers['x-ratelimit-limit'], undefined)
})

test('JSON that is no object has no fields to count by, and is refused without being parsed', async (t) => {
  const { ask } = limited({ limit: 1, key: fieldKey('email') })
  const parse = t.mock.method(JSON, 'parse')
  const headers = { 'content-type': 'application/json' }
  for (const body of ['[]', `"${'a'.repeat(1_000_000)}"`, 'null']) {
    assert.equal((await ask({ method: 'POST', headers, body })).status, 400)
  }
  assert.equal(parse.mock.callCount(), 0)
})

test('one account is one key, however its address is written', async () => {
  const { ask } = limited({ limit: 1, key: fieldKey('email', normalEmail) })
  const post = (email: string): Promise<InjectedResponse> =>
    ask({ method: 'POST', body: { email } })
  const spellings = ['a@bücher.example', 'A@xn--bcher-kva.example', 'a@ｂücher.example']
  assert.deepEqual(await statuses(spellings.map(post)), [200, 429, 429])
  assert.deepEqual(await statuses([post('nobody\0'), post('nobody\0')]), [200, 200])
})

test('it runs before the middlewares of the server though it belongs to a route', async () => {
  const seen: string[] = []
  const server = new Server({ environment: Environments.Test })
  server.use((_request, _response, next) => {
    seen.push('server')
    return next()
  })
  const key = (): string => String(seen.push('limit'))
  const early = new RateLimit({ limit: 1, window: 60, key: () => (key(), 'all') })
  const late = new RateLimit({ limit: 9, window: 60, key, phase: 'guard' })
  server.router.get('/', () => seen.push('handler'), { middlewares: [late, early] })
  await server.inject({ url: '/' })
  assert.deepEqual(seen.splice(0), ['limit', 'server', 'limit', 'handler'])
  assert.equal((await server.inject({ url: '/' })).status, 429)
  assert.deepEqual(seen, ['limit'])
})

test('a window that slides lets through what has slid out', async () => {
  const { ask, clock } = limited({ algorithm: 'sliding' })
  assert.deepEqual(await statuses([ask(), ask(), ask()]), [200, 200, 429])
  clock.now += 61
  assert.deepEqual(await statuses([ask(), ask()]), [200, 429])
})

test('a store learns nothing but a digest', async () => {
  const digests: string[] = []
  const verdict: RateLimitResult = { allowed: true, remaining: 1, reset: 0, retry: 0 }
  const store: RateLimitStore = { hit: (digest) => (digests.push(digest), verdict) }
  const secret = 'Bearer 0123456789'
  const { ask } = limited({ store, key: (request) => request.header('authorization') ?? null })
  await ask({ headers: { authorization: secret } })
  assert.match(digests.join(), /^[0-9a-f]{64}$/)
})

test('a limit without a store uses that of its server, and one with a store its own', async () => {
  const hits: string[] = []
  const storeOf = (name: string): RateLimitStore => {
    const memory = new MemoryRateLimits()
    return { hit: (...hit) => (hits.push(name), memory.hit(...hit)) }
  }
  const usual = limited()
  usual.server.rateLimits(storeOf('server'))
  await usual.ask()
  const own = limited({ store: storeOf('own') })
  own.server.rateLimits(storeOf('server'))
  await own.ask()
  assert.deepEqual(hits, ['server', 'own'])
})

test('a fleet whose workers would each count for themselves does not start', () => {
  const host = { rateLimits: null, workers: 2 }
  const limit = new RateLimit({ limit: 1, window: 60 })
  assert.throws(() => limit.attach(host), { code: 'E_RATE_LIMIT' })
  limit.attach({ ...host, workers: 1 })
  limit.attach({ ...host, rateLimits: new MemoryRateLimits() })
  new RateLimit({ limit: 1, window: 60, store: new MemoryRateLimits() }).attach(host)
  assert.throws(() => limited({}, { workers: 2 }).ask(), { code: 'E_RATE_LIMIT' })
})

test('options that cannot work are refused by name', () => {
  const refused = (options: object, name: string): void => {
    assert.throws(() => new RateLimit({ limit: 1, window: 1, ...options }), {
      code: 'E_INVALID_ARGUMENT',
      message: new RegExp(`rate limit option "${name}"`),
    })
  }
  for (const limit of [0, 1.5, -1, 2 ** 31, Number.NaN]) refused({ limit }, 'limit')
  for (const window of [0, -1, Infinity, Number.NaN]) refused({ window }, 'window')
  refused({ algorithm: 'leaky' }, 'algorithm')
})

test('a key that is no text is refused, not counted under its name', async () => {
  const key = (): string => JSON.parse('7')
  const { ask } = limited({ key })
  assert.equal((await ask()).status, 500)
})
