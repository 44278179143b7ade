import assert from 'node:assert/strict'
import { test } from 'node:test'
import type { TestContext } from 'node:test'
import { connect } from '../../src/database/connect.ts'
import { sql } from '../../src/database/sql/plan/statement.ts'
import { SentStatements, verbs } from '../databases/sent-statements.ts'
import { TestFactor } from '../support/test-factor.ts'
import { AuthSite } from './auth-site.ts'
import type { AuthSiteOptions } from './auth-site.ts'
import { linesOf, navigation, password } from './auth-visitor.ts'

async function counted(t: TestContext, options: AuthSiteOptions) {
  const sent = new SentStatements()
  const database = await connect('sqlite::memory:', { log: sent.log })
  t.after(() => database.close())
  const site = await AuthSite.on(database, options)
  // The first session of a process also sweeps.
  await site.signedIn({ email: 'bob@example.com' })
  return { site, sent }
}

const installed = { gate: { factors: [new TestFactor()] } }

for (const [name, options, hasFactor] of [
  ['no factor is installed', {}, false],
  ['a factor is installed that the account does not have', installed, false],
  ['the account has a factor', installed, true],
] as const) {
  test(`the gate adds no statement to a sign-in: ${name}`, async (t) => {
    const { site, sent } = await counted(t, options)
    if (hasFactor) await site.users.setFactor('1', 'test', true)
    const ada = site.visitor()
    const statements = await sent.during(() => ada.logsIn())
    // The account, the session, and whether the password is still the one that was checked.
    assert.deepEqual(verbs(statements), ['SELECT', 'INSERT', 'SELECT'])
    assert.equal(await ada.is(), hasFactor ? null : '1')
  })
}

test('the gate adds no statement to a revival', async (t) => {
  const { site, sent } = await counted(t, { ...installed, load: true })
  await site.users.setFactor('1', 'test', true)
  const ada = site.visitor()
  await ada.logsIn({ remember: '1' })
  await ada.post('/factor/test', { code: installed.gate.factors[0]?.code('1') ?? '' })
  ada.returns()
  const statements = await sent.during(() => ada.is())
  // The device twice, the account, the session, and whether the device is still one.
  assert.deepEqual(verbs(statements), ['SELECT', 'UPDATE', 'SELECT', 'INSERT', 'SELECT'])
})

test('a device of an account whose factors were not read signs in only if it stands for them', async (t) => {
  for (const trustDevices of [true, false]) {
    const factor = new TestFactor()
    const site = await AuthSite.open(t, { gate: { factors: [factor], trustDevices }, load: false })
    await site.users.setFactor('1', 'test', true)
    const ada = site.visitor()
    await ada.logsIn({ remember: '1' })
    await ada.post('/factor/test', { code: factor.code('1') })
    assert.equal(await ada.is(), '1')
    assert.equal(await ada.returns().is(), trustDevices ? '1' : null)
    const codes = site.reported.map((error) => 'code' in error && error.code)
    assert.deepEqual(codes, trustDevices ? [] : ['E_FACTOR'])
  }
})

test('a completed sign-in goes to the page that was asked for, and remembers on request', async (t) => {
  const factor = new TestFactor()
  const site = await AuthSite.open(t, { gate: { factors: [factor] } })
  await site.users.setFactor('1', 'test', true)
  const ada = site.visitor()
  await ada.ask('/account/devices?list=all', { headers: navigation })
  await ada.logsIn({ remember: '1' })
  assert.deepEqual(await site.trust.list('1'), [])
  const answer = await ada.post('/factor/test', { code: factor.code('1') })
  assert.equal(answer.headers['location'], '/account/devices?list=all')
  assert.equal(linesOf(answer, 'remember').length, 1)
  assert.equal((await site.trust.list('1')).length, 1)
  const [login] = site.events.slice(-1)
  assert.deepEqual([login?.[0], login?.[1].method], ['Login', 'password+test'])
})

test('a factor hears which account, which sign-in and from where, and a refusal is told', async (t) => {
  const factor = new TestFactor()
  const site = await AuthSite.open(t, { gate: { factors: [factor] } })
  await site.users.setFactor('1', 'test', true)
  const ada = site.visitor()
  await ada.logsIn()
  const { challenge } = Object(await ada.sees('pending'))
  await ada.post('/factor/test', { code: 'wrong' })
  const [attempt] = factor.attempts
  assert.deepEqual({ ...attempt?.fields }, { code: 'wrong' })
  assert.partialDeepStrictEqual(attempt, { user: '1', binding: challenge, peer: '127.0.0.1' })
  assert.match(challenge, /^[0-9a-f]{32}$/)
  const [name, payload] = site.events.at(-1) ?? []
  assert.deepEqual([name, payload?.user, payload?.method], ['Failed', '1', 'test'])
  await ada.post('/factor/anything', { code: 'wrong' })
  assert.equal(site.events.at(-1)?.[1].method, null, 'what was typed is not passed on')
})

test('an account with an unknown factor cannot sign in, and an operator is told', async (t) => {
  const site = await AuthSite.open(t)
  await site.users.setFactor('1', 'totp', true)
  const ada = site.visitor()
  assert.equal((await ada.logsIn()).status, 500)
  assert.equal(await ada.is(), null)
  assert.match(String(site.reported[0]?.message), /has the factors totp, none of which/)
})

test('a pending sign-in is bound to the password that was checked', async (t) => {
  const factor = new TestFactor()
  const site = await AuthSite.open(t, { gate: { factors: [factor] } })
  await site.users.setFactor('1', 'test', true)
  const ada = site.visitor()
  await ada.logsIn()
  assert.ok(await site.users.rotate('1', 'a brighter idea')) // which ends no session by itself
  const { headers } = await ada.post('/factor/test', { code: factor.code('1') })
  assert.equal(headers['location'], '/login')
  assert.deepEqual([await ada.is(), await ada.sees('pending'), factor.attempts], [null, null, []])
})

test('a pending sign-in can be left', async (t) => {
  const factor = new TestFactor()
  const site = await AuthSite.open(t, { gate: { factors: [factor] } })
  await site.users.setFactor('1', 'test', true)
  const ada = site.visitor()
  await ada.logsIn()
  await ada.post('/logout')
  const { headers } = await ada.post('/factor/test', { code: factor.code('1') })
  assert.equal(headers['location'], '/login')
  assert.deepEqual(await site.sessions.list('1'), [])
})

test('without the row of a sign-in there is no sign-in', async (t) => {
  const site = await AuthSite.open(t, { activity: true })
  await site.database.run(sql`CREATE TRIGGER full BEFORE INSERT ON account_activity
    BEGIN SELECT RAISE(ABORT, 'no more rows'); END`)
  const ada = site.visitor()
  const answer = await ada.logsIn({ remember: '1' })
  assert.deepEqual([answer.status, answer.cookies], [500, []])
  assert.deepEqual(await site.sessions.list('1'), [])
  assert.deepEqual(await site.trust.list('1'), [])
  assert.deepEqual(site.told, [])
})

test('only page views are remembered while a confirmation is asked for; JSON clients get a 401', async (t) => {
  const site = await AuthSite.open(t)
  const ada = await site.signedIn()
  const json = await ada.ask('/secret', { headers: { accept: 'application/json' } })
  assert.deepEqual([json.status, json.json()], [401, { error: 'Unauthorized' }])
  assert.equal(
    json.headers['www-authenticate'],
    'Cookie realm="Protected area", error="insufficient_user_authentication", max_age="900"',
  )
  const sent = await ada.ask('/secret', { method: 'POST', headers: navigation })
  assert.deepEqual([sent.status, sent.headers['location']], [303, '/confirm'])
  assert.equal(await ada.sees('intended'), null)
  assert.equal((await ada.post('/confirm/password', { password })).headers['location'], '/account')
  assert.equal((await ada.ask('/secret', { method: 'POST' })).text, 'secret')
  assert.deepEqual(site.told, ['Login', 'Confirmed'])
})

test('a factor that an account gets after its password was confirmed has to be proven itself', async (t) => {
  const factor = new TestFactor()
  const site = await AuthSite.open(t, { gate: { factors: [factor] }, load: true })
  const ada = await site.signedIn()
  await ada.post('/confirm/password', { password })
  assert.equal((await ada.ask('/secret')).text, 'secret')
  const code = factor.code('1')
  await site.users.setFactor('1', 'test', true)
  assert.equal((await ada.ask('/secret', { headers: navigation })).headers['location'], '/confirm')
  const refused = await ada.post('/confirm/password', { password })
  assert.equal(refused.headers['location'], '/confirm')
  assert.deepEqual(
    [site.events.at(-1)?.[0], site.events.at(-1)?.[1].method],
    ['Failed', 'password'],
  )
  assert.equal((await ada.ask('/secret', { headers: navigation })).headers['location'], '/confirm')
  await ada.post('/confirm/test', { code })
  assert.equal((await ada.ask('/secret')).text, 'secret')
  await site.users.setFactor('1', 'test', false)
  assert.equal((await ada.ask('/secret')).text, 'secret')
})

test('a factor that no sign-in is asked for leaves the password as a way to confirm', async (t) => {
  const key = Object.assign(new TestFactor('key'), { isAsked: false })
  const site = await AuthSite.open(t, { gate: { factors: [key] }, load: true })
  const code = key.code('1')
  await site.users.setFactor('1', 'key', true)
  const ada = await site.signedIn()
  await ada.post('/confirm/password', { password })
  assert.equal((await ada.ask('/secret')).text, 'secret')
  await ada.post('/confirm/key', { code })
  assert.equal((await ada.ask('/secret')).text, 'secret')
})
