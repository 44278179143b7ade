import assert from 'node:assert/strict'
import { after, test } from 'node:test'
import type { InjectedResponse } from 'framework/http'
import type { Visitor } from 'framework/testing'
import { serveDemo } from '../serve-demo.ts'
import { confirmed, password, verified } from './people.ts'

const app = await serveDemo()
after(() => app.close())

const page = '/account/tokens'
const form = { name: 'Backup', 'account:read': 'on', days: '30' }

/** Creates a token and returns it with the page that shows it. */
async function create(visitor: Visitor, fields: Record<string, string> = form) {
  const body = new URLSearchParams({ _token: await visitor.token(), ...fields })
  const { status, text, headers } = await visitor.ask(page, { method: 'POST', body })
  return { status, text, headers, token: /fw_[0-9a-f]{16}_[0-9a-f]{72}/.exec(text)?.[0] ?? '' }
}

function ask(url: string, token: string): Promise<InjectedResponse> {
  return app.visitor().ask(url, { headers: { authorization: `Bearer ${token}`, accept: '*/*' } })
}

test('its page asks who you are first', async () => {
  const { visitor } = await verified(app)
  assert.equal((await visitor.ask(page)).headers['location'], '/confirm')
  assert.equal((await visitor.submit(page, form)).to, '/confirm')
})

test('a token is shown once, and does what its scopes allow', async () => {
  const { visitor, email } = await verified(app)
  await confirmed(visitor)
  const { status, headers, token } = await create(visitor)
  assert.equal(status, 200)
  assert.match(headers['cache-control'] ?? '', /no-store/)
  const listed = (await visitor.ask(page)).text
  assert.doesNotMatch(listed, new RegExp(token))
  assert.match(listed, /Backup[\s\S]*account:read[\s\S]*Never used/)
  const account = await ask('/api/account', token)
  assert.equal(account.status, 200)
  assert.deepEqual(Object(account.json()).email, email)
  assert.deepEqual(account.cookies, [])
  assert.match((await visitor.ask(page)).text, /Last used/)
  const refused = await ask('/api/places', token)
  assert.equal(refused.status, 403)
  assert.equal(refused.headers['content-type'], 'application/problem+json')
  assert.equal(Object(refused.json()).detail, 'This API token lacks the scope places:read.')
  const { token: other } = await create(visitor, { ...form, 'places:read': 'on' })
  const places = await ask('/api/places', other)
  assert.equal(Object(places.json()).places.length, 1)
})

test('the owner is told by mail, without the token', async () => {
  const { visitor, email } = await verified(app)
  await confirmed(visitor)
  const { token } = await create(visitor)
  const mail = await app.mails.sent({ to: email, subject: 'A new API token was created' })
  assert.match(mail.text ?? '', /\/account\/undo\//)
  assert.doesNotMatch(`${mail.text} ${mail.html}`, new RegExp(token.slice(20)))
})

test('a revoked token is refused at once; nobody revokes that of another account', async () => {
  const { visitor } = await verified(app)
  await confirmed(visitor)
  const { token } = await create(visitor)
  const path = `${page}/${token.slice(3, 19)}/revoke`
  const stranger = await verified(app)
  await confirmed(stranger.visitor)
  assert.equal((await stranger.visitor.submit(path)).status, 404)
  assert.equal((await ask('/api/account', token)).status, 200)
  const { to, message } = await visitor.submit(path)
  assert.deepEqual([to, message], [page, 'Token revoked.'])
  assert.equal((await ask('/api/account', token)).status, 401)
  assert.equal((await visitor.submit(path)).status, 404)
})

test('a token outlives another password, which the mail about the password says', async () => {
  const { visitor, email } = await verified(app)
  await confirmed(visitor)
  const { token } = await create(visitor)
  const fields = { current: password, password: 'third time lucky' }
  await visitor.submit('/password', { ...fields, password_confirmation: fields.password })
  assert.equal((await ask('/api/account', token)).status, 200)
  const mail = await app.mails.sent({ to: email, subject: 'Your password was changed' })
  for (const text of [mail.text, mail.html]) {
    assert.match(text ?? '', /can still open your account[\s\S]*API token, added /)
  }
  const other = await verified(app)
  await other.visitor.submit('/password', { ...fields, password_confirmation: fields.password })
  const short = await app.mails.sent({ to: other.email, subject: 'Your password was changed' })
  assert.doesNotMatch(`${short.text} ${short.html}`, /API token/)
})

test('a form with errors is shown again with what was chosen', async () => {
  const { visitor } = await verified(app)
  await confirmed(visitor)
  const { to, errors, page: shown } = await visitor.submit(page, { 'places:read': 'on', days: '4' })
  assert.equal(to, page)
  assert.deepEqual(errors, { name: 'Please enter a name.', days: 'Choose when it expires.' })
  assert.match(shown, /name="places:read" checked/)
  const none = await visitor.submit(page, { name: 'x', days: '7' })
  assert.match(none.page, /Choose at least one thing that it may do/)
})

test('a token opens no page, signs nobody in and changes nothing of the account', async () => {
  const { visitor } = await verified(app)
  await confirmed(visitor)
  const { token } = await create(visitor)
  for (const url of ['/account', page, '/account/two-factor', '/password']) {
    const { status, headers, cookies } = await ask(url, token)
    assert.deepEqual([status, headers['location']], [303, '/login'], url)
    assert.doesNotMatch(cookies.join(), /remember/)
  }
})

test('a JSON client gets the token as JSON', async () => {
  const { visitor } = await verified(app)
  await confirmed(visitor)
  const answer = await visitor.send(page, form)
  assert.equal(answer.status, 200)
  assert.match(Object(answer.json()).token, /^fw_/)
})
