import assert from 'node:assert/strict'
import { test } from 'node:test'
import { newEmail, password, registered } from '../../../demo/tests/auth/people.ts'
import { emptyDatabase, serveDemo } from '../support/demo-tests.ts'
import { connect } from '../../src/database/connect.ts'
import { sql } from '../../src/database/sql/plan/statement.ts'
import type { InjectedResponse } from '../../src/http/server/inject.ts'
import { linkIn } from '../../src/mail/mail-testing.ts'

function assertGuarded(what: string, status: number, answer: InjectedResponse): void {
  assert.equal(answer.status, status, what)
  assert.equal(answer.headers['referrer-policy'], 'same-origin', what)
  assert.equal(answer.headers['cache-control'], 'no-store', what)
}

test('no response at the address of a link is cached or leaked to another site', async (t) => {
  const DATABASE_URL = emptyDatabase(t)
  const app = await serveDemo({ environment: 'development', env: { DATABASE_URL } })
  t.after(() => app.close())
  const { email } = await registered(app)
  const visitor = app.visitor()
  await visitor.submit('/forgot', { email })
  const reset = linkIn(await app.mails.sent({ to: email, subject: 'Reset your password' }))
  const verify = linkIn(await app.mails.sent({ to: email, subject: 'Verify your e-mail' }))
  const wrong = `0123456789abcdef/${'0'.repeat(64)}`
  const post = async (fields: Readonly<Record<string, string>>): Promise<InjectedResponse> =>
    visitor.ask(reset, {
      method: 'POST',
      body: new URLSearchParams({ _token: await visitor.token(), ...fields }),
    })

  assertGuarded('the form', 200, await visitor.ask(reset))
  assertGuarded('its headers', 200, await visitor.ask(reset, { method: 'HEAD' }))
  assertGuarded('a wrong link', 303, await visitor.ask(`/reset/${wrong}`))
  assertGuarded('a form with mistakes', 303, await post({ password: 'short' }))
  assertGuarded('a form without its token', 403, await post({ _token: '' }))
  const referer = `http://localhost${reset}`
  const expired = await visitor.ask(reset, { method: 'POST', headers: { referer } })
  assertGuarded('a form that expired', 303, expired)
  assertGuarded('a preview', 204, await visitor.ask(verify, { method: 'HEAD' }))
  assertGuarded('a verification', 303, await visitor.ask(verify))
  assertGuarded('a used verification', 303, await visitor.ask(verify))
  for (let sent = 0; sent < 7; sent += 1) await visitor.ask(`/verify/${wrong}`)
  assertGuarded('a verification too many', 429, await visitor.ask(`/verify/${wrong}`))
  await post({})
  await post({ password, password_confirmation: password })
  assertGuarded('a form too many', 429, await post({}))

  const database = await connect(DATABASE_URL)
  t.after(() => database.close())
  await app.visitor().submit('/forgot', { email })
  const fresh = linkIn(await app.mails.sent({ to: email, subject: 'Reset your password' }, 2))
  await database.run(sql`DROP TABLE users`)
  assertGuarded('an error', 500, await app.visitor().ask(fresh))
})

test('account pages are not cached, and the cookies are for the browser only', async (t) => {
  const app = await serveDemo()
  t.after(() => app.close())
  const { visitor, email } = await registered(app)
  const { headers } = await visitor.ask('/account')
  assert.match(headers['cache-control'] ?? '', /private|no-store/)
  assert.match(headers['vary'] ?? '', /cookie/i)
  const guest = app.visitor()
  const body = { email, password, remember: '1', _token: await guest.token() }
  const { cookies } = await guest.ask('/login', { method: 'POST', body: new URLSearchParams(body) })
  assert.deepEqual(cookies.map((line) => line.replace(/=[^;]*/, '=…')).toSorted(), [
    'remember=…; Max-Age=2592000; Path=/; Secure; HttpOnly; SameSite=Lax',
    'session=…; Path=/; Secure; HttpOnly; SameSite=Lax',
  ])
})

test('links in mails use APP_URL, whatever host a request claims', async (t) => {
  const app = await serveDemo({ env: { APP_URL: 'https://shop.example' } })
  t.after(() => app.close())
  const forged = {
    host: 'evil.example',
    'x-forwarded-host': 'evil.example',
    'x-forwarded-proto': 'http',
    forwarded: 'host=evil.example;proto=http',
  }
  const email = newEmail()
  const visitor = app.visitor()
  const post = async (url: string, fields: Readonly<Record<string, string>>): Promise<void> => {
    const body = new URLSearchParams({ _token: await visitor.token(), ...fields })
    const { status } = await visitor.ask(url, { method: 'POST', body, headers: forged })
    assert.equal(status, 303)
  }
  await post('/register', { email, password, password_confirmation: password })
  await post('/verify', {})
  await post('/forgot', { email })
  await visitor.ask(linkIn(await app.mails.sent({ to: email, subject: 'Verify your e-mail' }, 2)))
  const fresh = 'seven green bottles'
  await post('/password', { current: password, password: fresh, password_confirmation: fresh })
  for (const mail of [
    await app.mails.sent({ to: email, subject: 'Verify your e-mail' }),
    await app.mails.sent({ to: email, subject: 'Verify your e-mail' }, 2),
    await app.mails.sent({ to: email, subject: 'Reset your password' }),
    await app.mails.sent({ to: email, subject: 'Your password was changed' }),
  ]) {
    const bodies = `${mail.text}${mail.html}`
    assert.doesNotMatch(bodies, /evil\.example|localhost|127\.0\.0\.1/)
    for (const [origin] of bodies.matchAll(/https?:\/\/[^/\s"<]+/g)) {
      assert.equal(origin, 'https://shop.example')
    }
  }
})
