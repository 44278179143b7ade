import assert from 'node:assert/strict'
import { test } from 'node:test'
import { deviceHandle } from '../../src/accounts/devices/trust.ts'
import { connect } from '../../src/database/connect.ts'
import { sql } from '../../src/database/sql/plan/statement.ts'
import { rememberPolicy } from '../../src/accounts/devices/remember-policy.ts'
import { TestFactor } from '../support/test-factor.ts'
import { AuthSite } from './auth-site.ts'
import { linesOf, navigation } from './auth-visitor.ts'

const grace = { remember: { grace: 5 } }
const page = { headers: navigation }

function selectorOf(token: string | undefined): string {
  return (token ?? '').split('.')[0] ?? ''
}

test('a valid remember cookie revives: token rotated, id regenerated, identity installed, cookie re-emitted', async (t) => {
  const site = await AuthSite.open(t)
  const ada = await site.signedIn({ remember: '1' })
  const [first, session] = [ada.cookies.get('remember'), ada.cookies.get('session')]
  ada.returns()
  const answer = await ada.ask('/account')
  assert.deepEqual([answer.status, answer.json()], [200, { id: '1' }])
  const second = ada.cookies.get('remember')
  assert.equal(linesOf(answer, 'remember').length, 1)
  assert.match(
    linesOf(answer, 'remember')[0] ?? '',
    /^remember=[0-9a-f]{16}\.[0-9a-f]{64}; Max-Age=2592000; Path=\/; Secure; HttpOnly; SameSite=Lax$/,
  )
  assert.equal(selectorOf(second), selectorOf(first))
  assert.notEqual(second, first)
  assert.match(ada.cookies.get('session') ?? '', /^[\w-]{43}$/)
  assert.notEqual(ada.cookies.get('session'), session)
  assert.equal(answer.headers['cache-control'], 'no-store')
  assert.equal(await ada.sees('identity'), '1')
  assert.equal(await ada.sees('device'), deviceHandle(selectorOf(second)))
  assert.deepEqual(site.told, ['Login', 'Revived'])
})

test('a planted session id is not revived (fixation)', async (t) => {
  const site = await AuthSite.open(t)
  const ada = (await site.signedIn({ remember: '1' })).returns()
  const attacker = site.visitor()
  await attacker.ask('/account', page)
  const planted = attacker.cookies.get('session') ?? ''
  ada.cookies.set('session', planted)
  assert.equal(await ada.is(), '1')
  assert.notEqual(ada.cookies.get('session'), planted)
  assert.equal(await attacker.is(), null)
})

test('a replayed validator is theft: devices and sessions end, the cookie is cleared, the guard declines', async (t) => {
  const site = await AuthSite.open(t)
  const ada = await site.signedIn({ remember: '1' })
  const phone = await site.signedIn({ remember: '1' }, 'Phone')
  const bob = await site.signedIn({ email: 'bob@example.com', remember: '1' })
  const thief = ada.copy('remember')
  assert.equal(await thief.is(), '1', 'the first to come is let in')
  ada.returns()
  site.clock.now += 60
  const answer = await ada.ask('/account', page)
  assert.deepEqual([answer.status, answer.headers['location']], [303, '/login'])
  assert.deepEqual(linesOf(answer, 'remember'), [
    'remember=; Max-Age=0; Path=/; Secure; HttpOnly; SameSite=Lax',
  ])
  assert.deepEqual(await site.trust.list('1'), [])
  assert.deepEqual(await site.sessions.list('1'), [])
  for (const visitor of [ada, phone, thief]) assert.equal(await visitor.is(), null)
  assert.equal(await bob.is(), '2')
  const [name, payload] = site.events.at(-1) ?? []
  assert.equal(name, 'Theft')
  const { request, ...facts } = payload ?? {}
  const where = { route: 'GET /account', peer: '127.0.0.1', agent: 'Firefox' }
  assert.deepEqual(facts, { user: '1', account: null, method: null, ...where, at: 1_000_060 })
  assert.equal(typeof request, 'string')
})

test('a theft that ends in an error still clears the cookie', async (t) => {
  const site = await AuthSite.open(t, {
    fallback: () => {
      throw new Error('planted')
    },
  })
  const ada = await site.signedIn({ remember: '1' })
  await ada.copy('remember').ask('/account')
  const answer = await ada.returns().ask('/account')
  assert.equal(answer.status, 500)
  assert.match(linesOf(answer, 'remember').join(), /^remember=; Max-Age=0;/)
})

test('of tabs that open together one is revived, the others get no cookie, and no device is lost', async (t) => {
  const site = await AuthSite.open(t, grace)
  const ada = (await site.signedIn({ remember: '1' })).returns()
  const answers = await Promise.all(Array.from({ length: 6 }, () => ada.send('/account', page)))
  const winners = answers.filter(({ status }) => status === 200)
  assert.equal(winners.length, 1)
  for (const answer of answers) {
    if (answer.status === 200) ada.keep(answer)
    else assert.deepEqual([answer.status, answer.cookies], [303, []])
  }
  assert.equal((await site.trust.list('1')).length, 1)
  assert.equal(await ada.is(), '1')
  assert.deepEqual(site.told, ['Login', 'Revived'])
})

test('a tab that loses the race writes nothing to the session, whatever the fallback does', async (t) => {
  const site = await AuthSite.open(t, {
    ...grace,
    fallback: async ({ session }, response) => {
      session.flush()
      session.regenerate()
      session.set('intended', '/elsewhere')
      session.flash('message', 'Please sign in.')
      return response.redirect('/login')
    },
  })
  const ada = (await site.signedIn({ remember: '1' })).returns()
  const late = ada.copy()
  late.cookies.set('session', 'x')
  assert.equal(await ada.is(), '1')
  site.clock.now += 5
  const answer = await late.ask('/account', page)
  assert.deepEqual([answer.status, answer.cookies], [303, []])
  assert.equal(await ada.is(), '1')
})

test('the grace period ends after its seconds, and only navigations have it', async (t) => {
  for (const headers of [{}, { 'sec-fetch-mode': 'cors' }, { 'sec-fetch-mode': 'same-origin' }]) {
    const site = await AuthSite.open(t, grace)
    const ada = (await site.signedIn({ remember: '1' })).returns()
    const late = ada.copy()
    assert.equal(await ada.is(), '1')
    await late.ask('/account', { headers })
    assert.equal(site.told.at(-1), 'Theft')
  }
  const site = await AuthSite.open(t, grace)
  const ada = (await site.signedIn({ remember: '1' })).returns()
  const late = ada.copy()
  assert.equal(await ada.is(), '1')
  site.clock.now += 6
  await late.ask('/account', page)
  assert.equal(site.told.at(-1), 'Theft')
})

test('without grace the specification is literal: any wrong validator is theft', async (t) => {
  const site = await AuthSite.open(t)
  const ada = (await site.signedIn({ remember: '1' })).returns()
  const late = ada.copy()
  assert.equal(await ada.is(), '1')
  await late.ask('/account', page)
  assert.equal(site.told.at(-1), 'Theft')
})

const zeros = '0'.repeat(64)
const forged = ['', 'x', 'a.b', `${'0'.repeat(16)}.${zeros}`, 'é', '%00', 'a'.repeat(9000)]
for (const value of forged) {
  test(`a forged cookie is treated as a guest, and is not cleared: "${value.slice(0, 20)}"`, async (t) => {
    const site = await AuthSite.open(t, grace)
    const guest = site.visitor()
    guest.cookies.set('remember', value)
    const answer = await guest.ask('/account', page)
    assert.deepEqual([answer.status, linesOf(answer, 'remember')], [303, []])
    assert.equal(await guest.sees('intended'), '/account')
    assert.deepEqual([site.told, site.reported], [[], []])
  })
}

test('a token in another spelling is invalid: no upper case, no quotes, no spaces', async (t) => {
  const site = await AuthSite.open(t)
  const ada = (await site.signedIn({ remember: '1' })).returns()
  const token = ada.cookies.get('remember') ?? ''
  for (const value of [token.toUpperCase(), `${token}.`, token.replace('.', '/'), `${token}%0a`]) {
    ada.cookies.set('remember', value)
    assert.equal(await ada.is(), null)
  }
  ada.cookies.set('remember', token)
  assert.equal(await ada.is(), '1')
})

test('an expired token, or one of a revoked device, is a guest and not a theft', async (t) => {
  const site = await AuthSite.open(t, grace)
  const [ada, phone] = [
    await site.signedIn({ remember: '1' }),
    await site.signedIn({ remember: '1' }),
  ]
  const handle = deviceHandle(selectorOf(ada.cookies.get('remember')))
  assert.equal(await site.trust.end('1', handle), true)
  assert.equal(await ada.returns().is(), null)
  site.clock.now += 2_592_000
  assert.equal(await phone.returns().is(), null)
  assert.deepEqual(site.told, ['Login', 'Login'])
})

test('a failing database neither signs in nor clears the cookie, and is reported', async (t) => {
  const site = await AuthSite.open(t, grace)
  const ada = (await site.signedIn({ remember: '1' })).returns()
  await site.database.run(sql`ALTER TABLE trusts RENAME TO away`)
  const answer = await ada.ask('/account', page)
  assert.deepEqual([answer.status, linesOf(answer, 'remember')], [303, []])
  assert.ok(site.reported.length > 0)
  await site.database.run(sql`ALTER TABLE away RENAME TO trusts`)
  assert.equal(await ada.is(), '1')
  assert.deepEqual(site.told, ['Login', 'Revived'])
})

test('a response that fails after the rotation still sends the next token', async (t) => {
  const site = await AuthSite.open(t)
  const ada = (await site.signedIn({ remember: '1' })).returns()
  const answer = await ada.ask('/fails')
  assert.equal(answer.status, 500)
  assert.equal(linesOf(answer, 'remember').length, 1)
  assert.deepEqual(linesOf(answer, 'session'), [], 'a request that fails saves no session')
  assert.equal(await ada.is(), '1')
  assert.deepEqual(site.told, ['Login', 'Revived'])
})

test('a device that is revoked during its revival leaves no session behind', async (t) => {
  const site = await AuthSite.open(t)
  const ada = (await site.signedIn({ remember: '1' })).returns()
  site.meanwhile = async () => {
    await site.trust.revoke('1')
    await site.sessions.revoke('1')
  }
  const answer = await ada.ask('/account')
  assert.deepEqual([answer.status, linesOf(answer, 'session')], [200, []])
  site.meanwhile = () => {}
  assert.deepEqual(await site.sessions.list('1'), [])
  assert.equal(await ada.is(), null)
  assert.deepEqual(site.told, ['Login'])
})

test('HEAD and unsafe methods revive too, and each sends the next token', async (t) => {
  const site = await AuthSite.open(t)
  const ada = await site.signedIn({ remember: '1' })
  for (const method of ['HEAD', 'POST', 'DELETE']) {
    const answer = await ada.returns().ask('/account', { method })
    assert.deepEqual([answer.status, linesOf(answer, 'remember').length], [200, 1], method)
  }
  assert.equal(await ada.returns().is(), '1')
})

test('a prefetched page uses up no token', async (t) => {
  const site = await AuthSite.open(t)
  const ada = (await site.signedIn({ remember: '1' })).returns()
  for (const purpose of ['prefetch', 'prefetch;prerender']) {
    const headers = { ...navigation, 'sec-purpose': purpose }
    const answer = await ada.ask('/account', { headers })
    assert.deepEqual([answer.status, answer.cookies], [425, []])
  }
  assert.equal(await ada.is(), '1')
  const signedIn = await ada.ask('/account', { headers: { 'sec-purpose': 'prefetch' } })
  assert.equal(signedIn.status, 200, 'with a session there is nothing to use up')
  assert.deepEqual(site.reported, [])
})

test('a revival replaces an incomplete sign-in', async (t) => {
  const site = await AuthSite.open(t, { gate: { factors: [new TestFactor()] } })
  await site.users.setFactor('2', 'test', true)
  const ada = (await site.signedIn({ remember: '1' })).returns()
  await ada.logsIn({ email: 'bob@example.com' })
  assert.partialDeepStrictEqual(await ada.sees('pending'), { id: '2', remember: false })
  assert.equal(await ada.is(), '1')
  assert.equal(await ada.sees('pending'), null)
})

test('with the prefix __Host-, cookies of the former names are read once and renewed', async (t) => {
  const database = await connect('sqlite::memory:')
  t.after(() => database.close())
  const before = await AuthSite.on(database)
  const sessions = { prefix: '__Host-' } as const
  const after = new AuthSite(database, { sessions, remember: { policy: rememberPolicy(sessions) } })
  const old = await before.signedIn({ remember: '1' })
  const ada = after.visitor()
  for (const [name, value] of old.cookies) ada.cookies.set(name, value)
  const { cookies } = await ada.ask('/account')
  const id = old.cookies.get('session') ?? ''
  assert.deepEqual(cookies, [
    `__Host-session=${id}; Path=/; Secure; HttpOnly; SameSite=Lax`,
    'session=; Max-Age=0; Path=/; Secure; HttpOnly; SameSite=Lax',
  ])
  assert.deepEqual((await ada.ask('/account')).cookies, [])
  ada.cookies.delete('__Host-session')
  const revived = await ada.ask('/account')
  assert.deepEqual(
    [revived.status, [...ada.cookies.keys()].toSorted()],
    [200, ['__Host-remember', '__Host-session']],
  )
  await ada.post('/logout')
  assert.equal(ada.cookies.has('__Host-remember'), false)
  assert.equal((await after.trust.list('1')).length, 0)
})

test('signing out with a cookie of the former name forgets its device and deletes it', async (t) => {
  const database = await connect('sqlite::memory:')
  t.after(() => database.close())
  const before = await AuthSite.on(database)
  const policy = rememberPolicy({ prefix: '__Host-' })
  const after = new AuthSite(database, { remember: { policy } })
  const ada = after.visitor()
  for (const [name, value] of (await before.signedIn({ remember: '1' })).cookies) {
    ada.cookies.set(name, value)
  }
  await ada.post('/logout')
  assert.equal(ada.cookies.has('remember'), false)
  assert.equal((await after.trust.list('1')).length, 0)
})
