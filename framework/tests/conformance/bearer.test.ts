import assert from 'node:assert/strict'
import { test } from 'node:test'
import type { TestContext } from 'node:test'
import { ApiTokens, createApiTokensTable } from '../../src/accounts/tokens/api-tokens.ts'
import { Environments } from '../../src/settings/environments.ts'
import { connect } from '../../src/database/connect.ts'
import { Schema } from '../../src/migrations/schema.ts'
import { sql } from '../../src/database/sql/plan/statement.ts'
import { Authenticating } from '../../src/accounts/guards/authenticating.ts'
import { Authentication } from '../../src/accounts/guards/authentication.ts'
import { Bearer } from '../../src/accounts/guards/bearer.ts'
import type { BearerOptions } from '../../src/accounts/guards/bearer.ts'
import { Confirmed } from '../../src/accounts/guards/confirmed.ts'
import { SessionGuard } from '../../src/accounts/guards/session-guard.ts'
import { SignInGate } from '../../src/accounts/sign-in/sign-in-gate.ts'
import { Csrf } from '../../src/http/middlewares/csrf.ts'
import { Forms } from '../../src/http/middlewares/forms.ts'
import type { InjectedResponse, InjectedRequest } from '../../src/http/server/inject.ts'
import { Server } from '../../src/http/server/server.ts'
import { MemorySessions } from '../../src/http/session/memory-sessions.ts'
import { Sessions } from '../../src/http/session/sessions.ts'
import { Submissions } from '../../src/http/submissions/submissions.ts'
import { anyAccount } from '../support/any-account.ts'

interface Site {
  readonly server: Server
  /** A new token with these scopes. */
  readonly token: (...scopes: readonly ('read' | 'write')[]) => Promise<string>
  readonly tokens: ApiTokens<'read' | 'write'>
  readonly ask: (
    url: string,
    token: string | null,
    request?: Omit<InjectedRequest, 'url'>,
  ) => Promise<InjectedResponse>
  readonly drop: () => Promise<unknown>
  readonly written: unknown[]
}

async function site(t: TestContext, options: Partial<BearerOptions> = {}): Promise<Site> {
  const database = await connect('sqlite::memory:')
  t.after(() => database.close())
  await createApiTokensTable(new Schema(database))
  const tokens = new ApiTokens(database, {
    scopes: ['read', 'write'],
    credentials: anyAccount(database),
  })
  const load = async (id: string) => (id === 'gone' ? null : { id, email: `${id}@x.org` })
  const bearer = new Bearer(tokens, { load, ...options })
  const api = new Authentication(bearer)
  const both = new Authentication(new Authenticating(bearer, new SessionGuard({ load })))
  const sessions = new Sessions(new MemorySessions())
  const server = new Server({ environment: Environments.Production, reporter: null })
  server.use(new Submissions(sessions), sessions, new Csrf(), new Forms())
  const written: unknown[] = []
  const { router } = server
  router.get('/api/me', ({ identity }) => ({ me: identity?.email }), { middlewares: [api] })
  router.get('/api/read', () => 'read', { middlewares: [api, bearer.scopes('read')] })
  router.post('/api/write', async (request) => written.push(await request.json()), {
    middlewares: [api, bearer.scopes('read', 'write')],
  })
  router.post('/form', ({ fields }) => void written.push({ ...fields }), { middlewares: [both] })
  router.post('/both', () => void written.push('both'), {
    middlewares: [both, bearer.scopes('write')],
  })
  router.get('/either', () => 'either', { middlewares: [both, bearer.scopes('write')] })
  router.post('/unguarded', () => void written.push('unguarded'))
  router.post(
    '/upload',
    async (request) => void written.push({ ...(await request.form()).fields }),
    {
      middlewares: [api],
      uploads: {},
    },
  )
  router.get('/secret', () => 'secret', { middlewares: [both, new Confirmed()] })
  router.get(
    '/stateful',
    async ({ session }) => {
      session.set('x', 1)
      session.flash('message', 'hello')
      session.regenerate()
      return 'stateful'
    },
    { middlewares: [api] },
  )
  const gate = new SignInGate()
  router.post(
    '/enter',
    async (request) => {
      const entry = {
        key: 'identity',
        way: 'password',
        isTrusted: () => false,
        proven: null,
        remember: false,
      }
      await gate.pass(request, { id: '7' }, entry)
      return 'entered'
    },
    { middlewares: [both] },
  )
  router.get('/sign-in', ({ session }) => {
    session.regenerate()
    session.set('identity', '7')
    session.set('confirmed', { id: '7', method: 'password', at: Math.floor(Date.now() / 1000) })
    return 'signed in'
  })
  return {
    server,
    tokens,
    written,
    token: async (...scopes) =>
      (
        await tokens.create(
          '7',
          { name: 'x', scopes: scopes.length === 0 ? ['read'] : scopes, ttl: 60 },
          { keep: null },
        )
      )?.value ?? '',
    ask: (url, token, request = {}) =>
      server.inject({
        ...request,
        url,
        headers: {
          ...(token !== null && { authorization: `Bearer ${token}` }),
          ...request.headers,
        },
      }),
    drop: () => database.run(sql`DELETE FROM api_tokens`),
  }
}

const json = { method: 'POST', body: { a: 1 } }

test('a token identifies its account, and nothing else does', async (t) => {
  const { ask, token, drop } = await site(t)
  const value = await token()
  const { status, headers, cookies, text } = await ask('/api/me', value)
  assert.deepEqual([status, text], [200, '{"me":"7@x.org"}'])
  assert.deepEqual([headers['cache-control'], cookies], ['no-store', []])
  const lower = await ask('/api/me', null, { headers: { authorization: `bearer ${value}` } })
  assert.equal(lower.status, 200)
  for (const authorization of [undefined, '', 'Basic eDp5', value, `Token ${value}`]) {
    const none = await ask(
      '/api/me',
      null,
      authorization === undefined ? {} : { headers: { authorization } },
    )
    assert.equal(none.status, 401)
    assert.equal(none.headers['www-authenticate'], 'Bearer realm="Protected area"')
  }
  await drop()
  assert.equal((await ask('/api/me', value)).status, 401)
})

test('an invalid token is a 401 problem that says so, whatever the client accepts', async (t) => {
  const { ask, tokens, token } = await site(t)
  const lasting = { name: 'x', scopes: ['read'], ttl: 60 } as const
  const gone = await tokens.create('gone', lasting, { keep: null })
  for (const value of ['', 'x', (await token()).replace('fw_', 'fx_'), gone?.value ?? '', 'a b']) {
    const answer = await ask('/api/me', value === 'a b' ? 'x' : value, {
      headers: { accept: '*/*' },
    })
    const { headers } = answer
    assert.equal(answer.status, 401)
    assert.match(headers['www-authenticate'] ?? '', /^Bearer realm="[^"]*", error="invalid_token"$/)
    assert.equal(headers['content-type'], 'application/problem+json')
    assert.deepEqual(
      { ...Object(answer.json()), request: '' },
      {
        type: 'about:blank',
        title: 'Unauthorized',
        status: 401,
        instance: '/api/me',
        request: '',
        detail: 'This API token is unknown, expired or revoked.',
      },
    )
  }
})

test('a missing scope is a 403 problem that names it', async (t) => {
  const { ask, token, written } = await site(t)
  const value = await token('read')
  assert.equal((await ask('/api/read', value)).text, 'read')
  const answer = await ask('/api/write', value, json)
  const { headers } = answer
  assert.equal(answer.status, 403)
  assert.equal(headers['content-type'], 'application/problem+json')
  assert.equal(
    headers['www-authenticate'],
    'Bearer realm="Protected area", error="insufficient_scope", scope="read write"',
  )
  assert.equal(Object(answer.json()).detail, 'This API token lacks the scope write.')
  assert.deepEqual(written, [])
  assert.equal((await ask('/api/write', await token('read', 'write'), json)).status, 200)
  assert.deepEqual(written, [{ a: 1 }])
})

test('scopes() without Authentication before it does not start', () => {
  const bearer = new Bearer({ find: async () => null }, { load: async () => null })
  const server = new Server({ reporter: null })
  server.router.get('/', () => '', { middlewares: [bearer.scopes('read')] })
  assert.throws(() => server.inject({ url: '/' }), { code: 'E_MIDDLEWARE' })
})

test('no CSRF token is needed, from any page, with JSON, forms and files', async (t) => {
  const { ask, token, written } = await site(t)
  const value = await token('read', 'write')
  const foreign = { origin: 'https://evil.example', 'sec-fetch-site': 'cross-site' }
  assert.equal((await ask('/api/write', value, { ...json, headers: foreign })).status, 200)
  const form = { method: 'POST', body: new URLSearchParams({ a: '2' }) }
  assert.equal((await ask('/form', value, form)).status, 204)
  assert.equal((await ask('/form', value, form)).status, 204, 'a program may send a form twice')
  const body = new FormData()
  body.set('a', '3')
  body.set('file', new File(['x'], 'x.txt'))
  const encoded = new Response(body)
  const upload = {
    method: 'POST',
    body: Buffer.from(await encoded.arrayBuffer()),
    headers: { 'content-type': encoded.headers.get('content-type') ?? '' },
  }
  assert.equal((await ask('/upload', value, upload)).status, 204)
  assert.deepEqual(written, [{ a: 1 }, { a: '2' }, { a: '2' }, { a: '3' }])
})

test('a token spares nobody else the CSRF token: not a cookie beside it, not a route without it', async (t) => {
  const { ask, token, written, server } = await site(t)
  const { cookies } = await server.inject({ url: '/sign-in' })
  const cookie = cookies.map((line) => line.split(';')[0]).join('; ')
  const form = { method: 'POST', body: new URLSearchParams({ a: '1' }), headers: { cookie } }
  assert.equal((await ask('/both', null, form)).status, 403, 'the cookie alone')
  assert.equal((await ask('/both', 'x', form)).status, 401, 'an invalid token and the cookie')
  const value = await token('write')
  assert.equal((await ask('/unguarded', value, form)).status, 403, 'no guard has checked the token')
  assert.deepEqual(written, [])
  assert.equal((await ask('/both', value, form)).status, 204)
})

test('a request with a token has no session: writes are discarded and no cookie is sent', async (t) => {
  const { ask, token } = await site(t)
  const { status, cookies } = await ask('/stateful', await token())
  assert.deepEqual([status, cookies], [200, []])
})

test('a token signs nobody in', async (t) => {
  const { ask, token } = await site(t)
  const answer = await ask('/enter', await token(), json)
  assert.deepEqual([answer.status, answer.cookies], [403, []])
  assert.equal(Object(answer.json()).detail, 'An API token cannot sign in.')
})

test('a token never passes Confirmed, not even beside the cookie of a confirmed session', async (t) => {
  const { ask, token, server } = await site(t)
  const { cookies } = await server.inject({ url: '/sign-in' })
  const headers = { cookie: cookies.map((line) => line.split(';')[0]).join('; ') }
  assert.equal((await ask('/secret', null, { headers })).text, 'secret')
  assert.equal((await ask('/secret', await token(), { headers })).status, 403)
  assert.equal((await ask('/secret', await token())).status, 403)
})

test('signed-in users need no scopes', async (t) => {
  const { ask, token, server } = await site(t)
  const { cookies } = await server.inject({ url: '/sign-in' })
  const headers = { cookie: cookies.map((line) => line.split(';')[0]).join('; ') }
  assert.equal((await ask('/either', null, { headers })).text, 'either')
  assert.equal((await ask('/either', await token('read'))).status, 403)
})

test('each token has a limit of its own, on all routes together', async (t) => {
  const { ask, token } = await site(t, { limit: { limit: 2, window: 60 } })
  const [one, other] = [await token(), await token()]
  const first = await ask('/api/me', one)
  assert.deepEqual([first.status, first.headers['x-ratelimit-remaining']], [200, '1'])
  assert.equal((await ask('/api/read', one)).status, 200)
  const { status, headers } = await ask('/api/me', one)
  assert.equal(status, 429)
  assert.match(headers['retry-after'] ?? '', /^\d+$/)
  assert.equal(headers['x-ratelimit-limit'], '2')
  assert.equal((await ask('/api/me', other)).status, 200)
})

test('invalid tokens are limited by network, valid ones are not held up by them', async (t) => {
  const { ask, token } = await site(t, { failures: { limit: 2, window: 60 } })
  const statuses: number[] = []
  for (const value of ['x', 'y', 'z']) statuses.push((await ask('/api/me', value)).status)
  assert.deepEqual(statuses, [401, 401, 429])
  assert.equal((await ask('/api/me', await token())).status, 200)
})
