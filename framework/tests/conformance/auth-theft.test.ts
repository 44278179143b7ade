import assert from 'node:assert/strict'
import { test } from 'node:test'
import { sql } from '../../src/database/sql/plan/statement.ts'
import { ConfigurationError } from '../../src/base/errors.ts'
import { Authenticating } from '../../src/accounts/guards/authenticating.ts'
import { Authentication } from '../../src/accounts/guards/authentication.ts'
import { Remember } from '../../src/accounts/devices/remember.ts'
import { SessionGuard } from '../../src/accounts/guards/session-guard.ts'
import { Sessions } from '../../src/http/session/sessions.ts'
import { Server } from '../../src/http/server/server.ts'
import { MemorySessions } from '../../src/http/session/memory-sessions.ts'
import { AuthSite } from './auth-site.ts'
import { linesOf } from './auth-visitor.ts'

test('with default options a theft ends devices and live sessions, whatever the key of the guard', async (t) => {
  for (const remember of [{}, { key: 'member' }]) {
    const site = await AuthSite.open(t, { remember })
    const ada = await site.signedIn({ remember: '1' })
    const phone = await site.signedIn({}, 'Phone')
    const bob = await site.signedIn({ email: 'bob@example.com' })
    await ada.copy('remember').ask('/account')
    await ada.returns().ask('/account')
    assert.equal(site.told.at(-1), 'Theft')
    assert.equal(await phone.is(), null)
    assert.deepEqual(await site.sessions.list('1'), [])
    assert.equal(await bob.is(), '2')
  }
})

test('session lists, password changes and resets follow the key of the guard', async (t) => {
  const site = await AuthSite.open(t, { remember: { key: 'member' } })
  const [here, phone] = [await site.signedIn(), await site.signedIn({}, 'Phone')]
  // A save unrelated to the account must not remove it from the list.
  await phone.ask('/notes/hello')
  const listed = await site.sessions.list('1')
  assert.deepEqual(listed.map(({ agent }) => agent).sort(), ['Firefox', 'Phone'])
  assert.equal(await site.credentials.change('1', 'another long password', { keep: null }), true)
  assert.deepEqual([await here.is(), await phone.is()], [null, null])
})

test('if sessions cannot be ended, a theft is not reported yet; the same cookie reports it later', async (t) => {
  const site = await AuthSite.open(t)
  const ada = await site.signedIn({ remember: '1' })
  const phone = await site.signedIn({}, 'Phone')
  await ada.copy('remember').ask('/account')
  await site.database.run(sql`ALTER TABLE sessions RENAME TO away`)
  ada.returns()
  const answer = await ada.ask('/account')
  assert.deepEqual([answer.status, linesOf(answer, 'remember')], [303, []])
  assert.equal((await site.trust.list('1')).length, 1)
  assert.notEqual(site.told.at(-1), 'Theft')
  assert.ok(site.reported.length > 0)
  await site.database.run(sql`ALTER TABLE away RENAME TO sessions`)
  await ada.ask('/account')
  assert.equal(site.told.at(-1), 'Theft')
  assert.deepEqual([await site.trust.list('1'), await phone.is()], [[], null])
})

/** A server with one route behind a guard. */
function guarded(remember: Remember, ...before: readonly Sessions[]): Server {
  const server = new Server({ reporter: null })
  server.router.get('/account', () => 'in', {
    middlewares: [...before, new Authentication(new Authenticating(new SessionGuard(), remember))],
  })
  return server
}

const refused = { name: ConfigurationError.name, code: 'E_SESSION_INDEX' }

test('a server whose guard could not end sessions does not start', async (t) => {
  const site = await AuthSite.open(t)
  const sessions = new Sessions(new MemorySessions())
  const remember = new Remember(site.trust)
  const bare = guarded(remember).configure({ port: 0 })
  t.after(() => bare.close())
  await assert.rejects(() => bare.listen({ signals: false }), {
    ...refused,
    message: /server\.use\(new Sessions\(store\)\)/,
  })
  const late = new Server({ reporter: null })
  late.router.get('/account', () => 'in', {
    middlewares: [new Authentication(remember), sessions],
  })
  assert.throws(() => late.inject({ url: '/account' }), refused, 'Sessions must come before')
  assert.equal((await guarded(remember, sessions).inject({ url: '/account' })).status, 401)
})

test('a server whose sessions follow another key does not start', async (t) => {
  const site = await AuthSite.open(t)
  const other = new Sessions(new MemorySessions(), { identityKey: 'identity' })
  const member = new Remember(site.trust, { key: 'member' })
  assert.throws(() => guarded(member, other).inject({ url: '/account' }), {
    ...refused,
    message: /"member".*"identity"/,
  })
  const own = new Sessions(new MemorySessions(), { identityKey: 'member' })
  assert.equal((await guarded(member, own).inject({ url: '/account' })).status, 401)
})

test('a server where guards of two keys share sessions does not start: a session belongs to one account', async (t) => {
  const site = await AuthSite.open(t)
  const sessions = new Sessions(new MemorySessions())
  const server = new Server({ reporter: null }).use(sessions)
  for (const key of ['member', 'staff']) {
    const middlewares = [new Authentication(new Remember(site.trust, { key }))]
    server.router.get(`/${key}`, () => 'in', { middlewares })
  }
  assert.throws(() => server.inject({ url: '/member' }), refused)
})

test('a guard that is used outside of routes throws if no sessions follow its key', async (t) => {
  const site = await AuthSite.open(t)
  const stray = new Remember(site.trust, { key: 'member' })
  site.server.router.get('/stray', (request, response) => stray.authenticate(request, response))
  const ada = (await site.signedIn({ remember: '1' })).returns()
  assert.equal((await ada.ask('/stray')).status, 500)
  assert.match(String(site.reported.at(-1)?.message), /"member".*identityKey/)
  assert.equal(await ada.is(), '1', 'before the token was used up')
})
