import assert from 'node:assert/strict'
import { after, test } from 'node:test'
import { valueOn } from 'framework/testing'
import type { Visitor } from 'framework/testing'
import { serveDemo, site } from '../serve-demo.ts'
import { confirmed, isSignedIn, newEmail, password, registered, signedIn } from './people.ts'

const app = await serveDemo()
after(() => app.close())

test('a form without its token is shown again with its input, but without passwords', async () => {
  const email = newEmail()
  const fields = { email, password, password_confirmation: password }
  const visitor = app.visitor()
  const { status, to, message, page } = await visitor.follow(
    await visitor.ask('/register?from=home', {
      method: 'POST',
      body: new URLSearchParams(fields),
      headers: { referer: `${site}/register?from=home` },
    }),
  )
  assert.deepEqual([status, to], [303, '/register?from=home'])
  assert.equal(message, 'This form has expired. Please send it again.')
  assert.equal(valueOn(page, 'email'), email)
  assert.doesNotMatch(page, new RegExp(password))
  assert.equal((await visitor.submit('/register', fields)).to, '/account')
})

for (const url of [
  '/register',
  '/login',
  '/logout',
  '/verify',
  '/forgot',
  '/login/mail',
  '/login/mail/code',
  `/reset/0123456789abcdef/${'0'.repeat(64)}`,
  '/password',
  '/logout/others',
  '/devices/any/revoke',
  '/sessions/any/revoke',
]) {
  test(`POST ${url.slice(0, 20)} without a token changes nothing`, async () => {
    const { visitor } = await registered(app)
    await confirmed(visitor)
    const page = await visitor.ask(url, { method: 'POST', body: new URLSearchParams() })
    assert.equal(page.status, 403)
    assert.match(page.text, /This form has expired/)
    const script = await visitor.ask(url, {
      method: 'POST',
      body: {},
      headers: { accept: 'application/json' },
    })
    assert.equal(script.status, 403)
    assert.deepEqual(script.json(), { error: 'Invalid CSRF token' })
    assert.equal(await isSignedIn(visitor), true)
  })
}

test("another visitor's token is refused", async () => {
  const { visitor } = await registered(app)
  const body = new URLSearchParams({ _token: await app.visitor().token() })
  assert.equal((await visitor.ask('/logout', { method: 'POST', body })).status, 403)
  assert.equal(await isSignedIn(visitor), true)
})

test('a form from another site is refused, even with a valid token', async () => {
  const { visitor } = await registered(app)
  for (const headers of [{ 'sec-fetch-site': 'cross-site' }, { origin: 'https://evil.example' }]) {
    const body = new URLSearchParams({ _token: await visitor.token() })
    const { status } = await visitor.ask('/logout', { method: 'POST', body, headers })
    assert.equal(status, 403)
  }
  assert.equal(await isSignedIn(visitor), true)
})

/** Sends a form that was opened before signing in or out, and follows the redirects. */
async function sendStale(visitor: Visitor, url: string, page: string) {
  const answer = await visitor.ask(url, {
    method: 'POST',
    body: new URLSearchParams({ _token: 'of another session', email: 'eve@example.com' }),
    headers: { referer: `${site}${page}` },
  })
  assert.deepEqual([answer.status, answer.headers['location']], [303, page])
  const back = await visitor.ask(page)
  // A page that does not apply to the visitor redirects again.
  const outcome = await visitor.follow(back.status === 303 ? back : answer)
  assert.doesNotMatch(outcome.page, /eve@example\.com/)
  return [outcome.to, outcome.message]
}

test('a form for guests, sent after signing in in another tab, says "already signed in"', async () => {
  const { visitor } = await registered(app)
  for (const form of ['/login', '/register', '/forgot']) {
    const said = await sendStale(visitor, form, form)
    assert.deepEqual(said, ['/account', 'You are already signed in.'])
  }
  assert.doesNotMatch((await visitor.ask('/account')).text, /already signed in/)
})

test('an account form, sent after the session has ended, says "signed out"', async () => {
  for (const [form, page] of [
    ['/password', '/password'],
    ['/verify', '/account'],
    ['/logout/others', '/account'],
    ['/devices/any/revoke', '/account'],
    ['/sessions/any/revoke', '/account'],
  ] as const) {
    const said = await sendStale(app.visitor(), form, page)
    assert.deepEqual(said, ['/login', 'You were signed out. Please sign in again.'])
  }
})

test('an account form, sent after signing out in another tab, says "signed out"', async () => {
  const { visitor } = await registered(app)
  await visitor.submit('/logout')
  const said = await sendStale(visitor, '/password', '/password')
  assert.deepEqual(said, ['/login', 'You were signed out. Please sign in again.'])
})

test('signing out a second time says "signed out" on any page', async () => {
  const visitor = app.visitor()
  const said = await sendStale(visitor, '/logout', '/account')
  assert.deepEqual(said, ['/login', 'You are signed out.'])
  const body = new URLSearchParams({ _token: 'of another session' })
  const headers = { referer: `${site}/forgot` }
  const { to, message } = await visitor.follow(
    await visitor.ask('/logout', { method: 'POST', body, headers }),
  )
  assert.deepEqual([to, message], ['/forgot', 'You are signed out.'])
})

test('an expired form that is still on the page asks to be sent again', async () => {
  const { email } = await registered(app)
  const visitor = await signedIn(app, email)
  const body = new URLSearchParams({ _token: 'of another session' })
  for (const [form, page] of [
    ['/password', '/password'],
    ['/logout', '/account'],
  ] as const) {
    const headers = { referer: `${site}${page}` }
    const answer = await visitor.ask(form, { method: 'POST', body, headers })
    const { to, message } = await visitor.follow(answer)
    assert.deepEqual([to, message], [page, 'This form has expired. Please send it again.'])
  }
})
