import assert from 'node:assert/strict'
import crypto from 'node:crypto'
import { syncBuiltinESMExports } from 'node:module'
import { test } from 'node:test'
import type { TestContext } from 'node:test'
import { confirmed, newEmail, password, registered } from '../../../demo/tests/auth/people.ts'
import { serveDemo } from '../support/demo-tests.ts'
import type { DemoServer } from '../support/demo-tests.ts'
import { linkIn } from '../../src/mail/mail-testing.ts'
import { totpCode } from '../../src/accounts/factors/factor-testing.ts'
import type { Visitor } from '../../src/testing/visitor.ts'

const link = `0123456789abcdef/${'0'.repeat(64)}`

// Not in the test environment, whose error responses are empty.
async function open(t: TestContext): Promise<DemoServer> {
  cheapenHashes(t)
  const app = await serveDemo({ environment: 'development' })
  t.after(() => app.close())
  return app
}

/** Hundreds of passwords are tried here; that each costs one hash is tested elsewhere. */
function cheapenHashes(t: TestContext): void {
  const hashing = t.mock.method(
    crypto,
    'argon2',
    (...[, { message, nonce, tagLength }, done]: Parameters<typeof crypto.argon2>) => {
      const text = JSON.stringify([message, nonce])
      done(null, crypto.createHash('sha256').update(text).digest().subarray(0, tagLength))
    },
  )
  syncBuiltinESMExports()
  t.after(() => {
    hashing.mock.restore()
    syncBuiltinESMExports()
  })
}

for (const { method = 'POST', url, limit, window } of [
  { url: '/register', limit: 5, window: 600 },
  { url: '/login', limit: 5, window: 60 },
  { method: 'GET', url: `/verify/${link}`, limit: 10, window: 60 },
  { url: '/verify', limit: 3, window: 600 },
  { url: '/forgot', limit: 3, window: 600 },
  { url: '/login/mail', limit: 3, window: 600 },
  { url: '/login/mail/code', limit: 10, window: 60 },
  { url: `/login/mail/${link}`, limit: 10, window: 60 },
  { url: `/reset/${link}`, limit: 5, window: 600 },
  { url: '/password', limit: 5, window: 60 },
  { url: '/confirm/password', limit: 5, window: 60 },
  { url: '/login/factor/totp', limit: 10, window: 60 },
]) {
  const route = `${method} ${url.replace(link, '…')}`
  test(`${route} allows ${limit} requests per peer in ${window} s, then 429`, async (t) => {
    const app = await open(t)
    t.mock.timers.enable({ apis: ['Date'], now: 1_800_000_000_000 })
    const visitor = app.visitor()
    const body = new URLSearchParams({ _token: await visitor.token(), email: 'ada@example.com' })
    const request = method === 'GET' ? {} : { method, body }
    for (let sent = 1; sent <= limit; sent += 1) {
      const { status, headers } = await visitor.ask(url, request)
      assert.equal(status, 303)
      assert.equal(headers['x-ratelimit-limit'], String(limit))
      assert.equal(headers['x-ratelimit-remaining'], String(limit - sent))
      assert.equal(headers['x-ratelimit-reset'], String(1_800_000_000 + window))
    }
    const refused = await visitor.ask(url, request)
    assert.equal(refused.status, 429)
    assert.match(refused.headers['content-type'] ?? '', /^text\/html/)
    assert.equal(refused.headers['retry-after'], String(window))
    const script = await visitor.ask(url, { ...request, headers: { accept: 'application/json' } })
    assert.equal(script.status, 429)
    assert.deepEqual(script.json(), { error: 'Too Many Requests' })
    assert.notEqual((await app.visitor().ask(url, request)).status, 429)
    t.mock.timers.tick(window * 1000)
    assert.equal((await visitor.ask(url, request)).status, 303)
  })
}

for (const url of ['/register', '/login', '/forgot', '/account']) {
  test(`GET ${url} has no limit`, async (t) => {
    const { headers } = await (await open(t)).visitor().ask(url)
    assert.equal(headers['x-ratelimit-limit'], undefined)
  })
}

/** Signs in with the token of an earlier visit, which saves a request. */
async function guess(
  visitor: Visitor,
  _token: string,
  fields: Readonly<Record<string, string>>,
): Promise<string> {
  const body = new URLSearchParams({ _token, password: 'not this one', ...fields })
  const { status, headers } = await visitor.ask('/login', { method: 'POST', body })
  return status === 303 ? (headers['location'] ?? '') : String(status)
}

let networks = 0

/** 21 visitors who each have their own network, and guess five times, as often as a peer may. */
async function strangers(app: DemoServer, email: string): Promise<string[]> {
  const outcomes: string[] = []
  for (let number = 0; number < 21; number += 1) {
    networks += 1
    const stranger = app.visitor({ address: `198.18.${networks}.1` })
    const token = await stranger.token()
    for (let guessed = 0; guessed < 5; guessed += 1) {
      outcomes.push(await guess(stranger, token, { email, guess: String(guessed) }))
    }
  }
  return outcomes
}

test('an account allows a hundred wrong passwords an hour from all networks together, and two more of one without any', async (t) => {
  const app = await open(t)
  const { email, visitor: owner } = await registered(app)
  await owner.submit('/logout')
  for (let round = 0; round < 3; round += 1) {
    assert.equal((await app.visitor().submit('/login', { email, password })).to, '/account')
  }
  const outcomes = await strangers(app, email)
  assert.deepEqual(new Set(outcomes.slice(0, 100)), new Set(['/login']))
  assert.deepEqual(outcomes.slice(100), ['/login', '/login', '429', '429', '429'])
  const neighbour = (): Visitor => app.visitor({ address: `198.18.${networks}.2` })
  const written = ` ${email.toUpperCase()} `
  const refused = await neighbour().submit('/login', { email: written, password })
  assert.equal(refused.status, 429)
  const script = await neighbour().send('/login', { email, password })
  assert.deepEqual([script.status, script.json()], [429, { error: 'Too Many Requests' }])
  // The owner, without a remembered browser, in a network where nobody has guessed.
  assert.equal((await app.visitor().submit('/login', { email, password })).to, '/account')
  const { email: other } = await registered(app)
  assert.equal((await app.visitor().submit('/login', { email: other, password })).to, '/account')
})

test('an account that does not exist allows as many, so that a refusal reveals nothing', async (t) => {
  const app = await open(t)
  const outcomes = await strangers(app, newEmail())
  assert.deepEqual([outcomes.indexOf('429'), new Set(outcomes.slice(102))], [102, new Set(['429'])])
})

test('strangers never make an owner wait who comes with a device of the account', async (t) => {
  const app = await open(t)
  const { email } = await registered(app)
  const owner = app.visitor()
  await owner.submit('/login', { email, password, remember: '1' })
  await strangers(app, email)
  const device = owner.cookies.get('remember') ?? ''
  // The device of one account opens no lane to another.
  const { email: other } = await registered(app)
  await strangers(app, other)
  const eve = app.visitor({ address: `198.18.${networks}.2` })
  const token = await eve.token()
  eve.cookies.set('remember', device)
  assert.equal(await guess(eve, token, { email: other, password }), '429')
  // The form was open when the session ended: a visit to any page would sign in by the device.
  const returning = app.visitor()
  const _token = await returning.token()
  returning.cookies.set('remember', device)
  assert.equal(await guess(returning, _token, { email }), '/login', 'a typing error')
  assert.equal(await guess(returning, _token, { email, password }), '/account')
})

test('one stranger cannot lock the owner out, however often they try', async (t) => {
  const app = await open(t)
  const { email } = await registered(app)
  t.mock.timers.enable({ apis: ['Date'], now: Date.now() })
  const stranger = app.visitor()
  const token = await stranger.token()
  let allowed = 0
  for (let minute = 0; minute < 10; minute += 1) {
    for (let sent = 0; sent < 5; sent += 1) {
      const outcome = await guess(stranger, token, { email, guess: `${minute} ${sent}` })
      if (outcome !== '429') allowed += 1
    }
    t.mock.timers.tick(60_000)
  }
  assert.equal(allowed, 20)
  const owner = app.visitor({ address: '198.51.100.1' })
  assert.equal((await owner.submit('/login', { email, password })).to, '/account')
  assert.equal(await guess(stranger, token, { email: newEmail() }), '/login')
})

test('ten reset mails an hour go to one address, five of them for one network', async (t) => {
  const app = await open(t)
  const email = newEmail()
  const ask = async (address: string): Promise<number> =>
    (await app.visitor({ address }).submit('/forgot', { email })).status
  const statuses: number[] = []
  for (let asked = 0; asked < 6; asked += 1) statuses.push(await ask(`198.51.100.${asked}`))
  assert.deepEqual(statuses, [303, 303, 303, 303, 303, 429])
  for (let asked = 0; asked < 5; asked += 1) assert.equal(await ask(`203.0.${asked}.1`), 303)
  assert.equal(await ask('192.0.2.1'), 429)
})

test('an account allows twenty guesses of its current password an hour, from all sessions', async (t) => {
  const app = await open(t)
  const { email } = await registered(app)
  const change = async (visitor: Visitor, current: string): Promise<number> =>
    (await visitor.submit('/password', { current })).status
  const thief = async (): Promise<Visitor> => {
    const visitor = app.visitor()
    await visitor.submit('/login', { email, password })
    return visitor
  }
  const device = app.visitor()
  await device.submit('/login', { email, password, remember: '1' })
  for (let session = 0; session < 4; session += 1) {
    const visitor = await thief()
    for (let guessed = 0; guessed < 5; guessed += 1) {
      assert.equal(await change(visitor, `guess ${guessed}`), 303)
    }
  }
  assert.equal(await change(await thief(), password), 429)
  assert.equal(await change(device, password), 303)
})

test('ten wrong codes of an account an hour come from one network, to sign in and to confirm', async (t) => {
  const app = await open(t)
  const { visitor, email } = await registered(app)
  await visitor.ask(linkIn(await app.mails.sent({ to: email, subject: 'Verify your e-mail' })))
  await confirmed(visitor)
  const { page } = await visitor.submit('/account/two-factor')
  const key = /class="secret">([A-Z2-7 ]+)</.exec(page)?.[1] ?? ''
  assert.equal(
    (await visitor.send('/account/two-factor/enable', { code: totpCode(key) })).status,
    200,
  )
  const device = app.visitor()
  await device.submit('/login', { email, password, remember: '1' })
  const code = totpCode(key, Date.now() / 1000 + 30)
  assert.equal((await device.submit('/login/factor/totp', { code })).to, '/account')
  const wrong = { code: '000000' }
  for (let tries = 0; tries < 10; tries += 1) {
    const thief = app.visitor()
    for (const [name, value] of visitor.cookies) thief.cookies.set(name, value)
    assert.equal((await thief.submit('/confirm/totp', wrong)).to, '/confirm')
  }
  const guest = app.visitor()
  assert.equal((await guest.submit('/login', { email, password })).to, '/login/factor')
  assert.equal((await guest.send('/login/factor/totp', wrong)).status, 429)
  // And the password is no way around.
  assert.equal((await visitor.submit('/confirm/password', { password })).to, '/confirm')
  // The owner has a browser that is counted apart.
  assert.equal((await device.submit('/confirm/totp', wrong)).to, '/confirm')
})

test('a peer is identified by its connection: forwarded headers of strangers do not count', async (t) => {
  const app = await open(t)
  const visitor = app.visitor()
  for (let sent = 0; sent < 3; sent += 1) {
    await visitor.ask('/forgot', {
      method: 'POST',
      headers: { 'x-forwarded-for': `10.0.0.${sent}` },
    })
  }
  const { status } = await visitor.ask('/forgot', {
    method: 'POST',
    headers: { 'x-forwarded-for': '10.0.0.9', forwarded: 'for=10.0.0.9' },
  })
  assert.equal(status, 429)
})
