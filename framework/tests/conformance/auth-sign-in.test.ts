import assert from 'node:assert/strict'
import { test } from 'node:test'
import { deviceHandle } from '../../src/accounts/devices/trust.ts'
import { sql } from '../../src/database/sql/plan/statement.ts'
import { TestFactor } from '../support/test-factor.ts'
import { AuthSite } from './auth-site.ts'
import { linesOf, password } from './auth-visitor.ts'

test('registration signs in: the id is regenerated and the identity set', async (t) => {
  const site = await AuthSite.open(t)
  const eve = site.visitor()
  await eve.ask('/account')
  const planted = eve.copy('session')
  const answer = await eve.post('/register', { email: 'eve@example.com', password })
  assert.equal(answer.headers['location'], '/account')
  assert.deepEqual([linesOf(answer, 'session').length, linesOf(answer, 'remember')], [1, []])
  assert.notEqual(eve.cookies.get('session'), planted.cookies.get('session'))
  assert.deepEqual([await eve.is(), await planted.is()], ['3', null])
  assert.deepEqual(site.told, ['Registered'])
})

test('a login regenerates the id, sets the identity and sends a remember cookie only on request', async (t) => {
  const site = await AuthSite.open(t)
  const ada = site.visitor()
  await ada.ask('/account')
  const planted = ada.copy('session')
  const answer = await ada.logsIn()
  assert.deepEqual([linesOf(answer, 'session').length, linesOf(answer, 'remember')], [1, []])
  assert.deepEqual([await ada.is(), await planted.is()], ['1', null])
  assert.equal(await ada.sees('device'), null)
  assert.deepEqual(await site.trust.list('1'), [])
  const [name, payload] = site.events[0] ?? []
  assert.deepEqual([name, payload?.user, payload?.at], ['Login', '1', 1_000_000])
})

test('on request a login sends one remember cookie, for a device that is listed', async (t) => {
  const site = await AuthSite.open(t)
  const ada = site.visitor('Laptop')
  const answer = await ada.logsIn({ remember: '1' })
  const lines = linesOf(answer, 'remember')
  assert.equal(lines.length, 1)
  assert.match(lines[0] ?? '', /; Max-Age=2592000; Path=\/; Secure; HttpOnly; SameSite=Lax$/)
  const [device, ...others] = await site.trust.list('1')
  assert.deepEqual([device?.agent, device?.peer, others], ['Laptop', '127.0.0.1', []])
  const selector = ada.cookies.get('remember')?.split('.')[0] ?? ''
  assert.equal(device?.handle, deviceHandle(selector))
  const [session] = await site.sessions.list('1')
  assert.equal(session?.device, device?.handle)
})

test('a refused login leaves the session alone and reveals nothing else', async (t) => {
  const site = await AuthSite.open(t)
  const ada = site.visitor()
  for (const fields of [{ password: 'wrong' }, { email: 'nobody@example.com' }]) {
    const answer = await ada.logsIn(fields)
    assert.deepEqual([answer.headers['location'], answer.cookies], ['/login', []])
  }
  assert.deepEqual(
    site.events.map(([name, { user, peer }]) => [name, user, peer]),
    [
      ['Failed', null, '127.0.0.1'],
      ['Failed', null, '127.0.0.1'],
    ],
  )
})

test('a browser is at most one device: another login replaces the previous one', async (t) => {
  const site = await AuthSite.open(t)
  const ada = await site.signedIn({ remember: '1' })
  const answer = await ada.logsIn({ remember: '1' })
  assert.equal(linesOf(answer, 'remember').length, 1)
  assert.equal((await site.trust.list('1')).length, 1)
  const again = await ada.logsIn()
  assert.match(linesOf(again, 'remember').join(), /^remember=; Max-Age=0;/)
  assert.deepEqual(await site.trust.list('1'), [])
  assert.equal(await ada.sees('device'), null)
})

test('signing in as another account leaves nothing of the previous one', async (t) => {
  const site = await AuthSite.open(t)
  const ada = await site.signedIn({ remember: '1' })
  await ada.ask('/notes/of-ada')
  assert.equal(await ada.sees('note'), 'of-ada')
  await ada.logsIn({ remember: '1' })
  assert.equal(await ada.sees('note'), 'of-ada', 'who signs in again keeps what was there')
  const adas = ada.copy()
  await ada.logsIn({ email: 'bob@example.com' })
  assert.equal(await ada.is(), '2')
  assert.deepEqual([ada.cookies.has('remember'), await ada.sees('device')], [false, null])
  assert.equal(await ada.sees('note'), null)
  assert.deepEqual(await site.trust.list('1'), [])
  assert.equal(await adas.is(), null)
})

test('logout drops the presented series, clears the cookie, flushes and regenerates', async (t) => {
  const site = await AuthSite.open(t)
  const ada = await site.signedIn({ remember: '1' })
  const phone = await site.signedIn({ remember: '1' }, 'Phone')
  const stolen = ada.copy()
  const answer = await ada.post('/logout')
  assert.equal(linesOf(answer, 'session').length, 1)
  assert.deepEqual(linesOf(answer, 'remember'), [
    'remember=; Max-Age=0; Path=/; Secure; HttpOnly; SameSite=Lax',
  ])
  assert.notEqual(ada.cookies.get('session'), stolen.cookies.get('session'))
  assert.deepEqual([await ada.is(), await stolen.is(), await phone.is()], [null, null, '1'])
  assert.deepEqual(
    (await site.trust.list('1')).map(({ agent }) => agent),
    ['Phone'],
  )
  assert.deepEqual(site.told, ['Login', 'Login', 'Logout'])
})

test('logout also drops a device whose token another tab has used up', async (t) => {
  const site = await AuthSite.open(t)
  const ada = await site.signedIn({ remember: '1' })
  const tab = ada.copy('remember')
  assert.equal(await tab.is(), '1')
  await ada.post('/logout')
  assert.deepEqual(await site.trust.list('1'), [])
})

test('logout of a just revived request drops its device, and sends one remember cookie', async (t) => {
  const site = await AuthSite.open(t)
  const ada = (await site.signedIn({ remember: '1' })).returns()
  const answer = await ada.ask('/leaves')
  assert.equal(answer.text, 'bye')
  assert.deepEqual(
    linesOf(answer, 'remember').map((line) => line.slice(0, 21)),
    ['remember=; Max-Age=0;'],
  )
  assert.deepEqual(await site.trust.list('1'), [])
  assert.equal(await ada.sees('note'), 'bye', 'the session that was emptied stays')
  assert.equal(await ada.is(), null)
})

test('logout without a session drops the device of the cookie', async (t) => {
  const site = await AuthSite.open(t)
  const ada = (await site.signedIn({ remember: '1' })).returns()
  await ada.post('/logout')
  assert.deepEqual([await site.trust.list('1'), ada.cookies.has('remember')], [[], false])
})

test('signing in on a just revived request also leaves one device', async (t) => {
  const site = await AuthSite.open(t)
  const ada = (await site.signedIn({ remember: '1' })).returns()
  const answer = await ada.ask('/enters')
  assert.equal(linesOf(answer, 'remember').length, 1)
  assert.equal((await site.trust.list('1')).length, 1)
  assert.equal(await ada.is(), '1')
  assert.equal(await ada.returns().is(), '1')
})

test('a guest may sign out', async (t) => {
  const site = await AuthSite.open(t)
  const answer = await site.visitor().post('/logout')
  assert.deepEqual([answer.status, answer.headers['location']], [303, '/login'])
  assert.deepEqual(site.told, [])
})

test('a password change during a sign-in with the old one wins', async (t) => {
  const site = await AuthSite.open(t)
  const thief = site.visitor()
  site.meanwhile = () => site.credentials.change('1', 'another password', { keep: null })
  const answer = await thief.logsIn({ remember: '1' })
  assert.deepEqual(linesOf(answer, 'session'), [])
  assert.match(linesOf(answer, 'remember').join(), /^remember=; Max-Age=0;/)
  site.meanwhile = () => {}
  assert.deepEqual(await site.sessions.list('1'), [])
  assert.deepEqual(await site.trust.list('1'), [])
  assert.equal(await thief.is(), null)
  assert.deepEqual(site.told, ['Changed'])
})

test('a password change ends the other sessions and devices, and keeps the session it came from', async (t) => {
  const site = await AuthSite.open(t)
  const [here, there] = [await site.signedIn(), await site.signedIn({ remember: '1' })]
  const sessions = await site.sessions.list('1')
  assert.equal(sessions.length, 2)
  await here.ask('/account')
  const rows = await site.database.rows(sql`SELECT digest FROM sessions WHERE device IS NULL`)
  await site.credentials.change('1', 'another password', { keep: String(rows[0]?.['digest']) })
  assert.deepEqual([await here.is(), await there.is()], ['1', null])
})

test('an incomplete sign-in signs nobody in', async (t) => {
  const site = await AuthSite.open(t, { gate: { factors: [new TestFactor()] } })
  await site.users.setFactor('1', 'test', true)
  const ada = site.visitor()
  await ada.ask('/account')
  const planted = ada.copy('session')
  const answer = await ada.logsIn({ remember: '1' })
  assert.equal(answer.headers['location'], '/code')
  assert.deepEqual([linesOf(answer, 'session').length, linesOf(answer, 'remember')], [1, []])
  assert.partialDeepStrictEqual(await ada.sees('pending'), { id: '1', remember: true })
  assert.deepEqual([await ada.sees('identity'), await planted.sees('pending')], [null, null])
  assert.equal(await ada.is(), null)
  assert.deepEqual([await site.trust.list('1'), site.told], [[], ['FactorAsked']])
})

test('a sign-in whose session cannot be saved emits no event', async (t) => {
  const site = await AuthSite.open(t)
  await site.database.run(sql`ALTER TABLE sessions RENAME TO away`)
  const answer = await site.visitor().logsIn({ remember: '1' })
  assert.deepEqual([answer.status, answer.cookies, site.told], [503, [], []])
})
