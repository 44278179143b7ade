import assert from 'node:assert/strict'
import { after, test } from 'node:test'
import { linkIn, valueOn } from 'framework/testing'
import { serveDemo, site } from '../serve-demo.ts'
import { newEmail, verified } from './people.ts'

const app = await serveDemo()
after(() => app.close())

const sent = 'If that e-mail exists, we sent a password reset link.'

test('GET /forgot shows the form to guests and redirects others to their account', async () => {
  assert.equal((await app.visitor().ask('/forgot')).status, 200)
  const { visitor } = await verified(app)
  const { status, headers } = await visitor.ask('/forgot')
  assert.deepEqual([status, headers['location']], [303, '/account'])
})

test('the owner of an account gets a mail with a link', async () => {
  const { email } = await verified(app)
  const visitor = app.visitor()
  const { status, to, message } = await visitor.submit('/forgot', {
    email: ` ${email.toUpperCase()} `,
  })
  assert.deepEqual([status, to, message], [303, '/forgot', sent])
  const mail = await app.mails.sent({ to: email, subject: 'Reset your password' })
  for (const body of [mail.text ?? '', mail.html ?? '']) {
    assert.match(body, new RegExp(`${site}/reset/[0-9a-f]{16}/[0-9a-f]{64}`))
    assert.match(body, /works once, for (?:<strong>)?1 hour/)
    assert.match(body, /ignore this message/)
    assert.ok(body.includes(`Firefox on Linux, ${visitor.address}`))
  }
  assert.equal((await visitor.ask(linkIn(mail))).status, 200)
})

test('the response does not reveal whether the account exists', async () => {
  const email = newEmail()
  const { status, to, message, errors, page } = await app.visitor().submit('/forgot', { email })
  assert.deepEqual([status, to, message, errors], [303, '/forgot', sent, {}])
  assert.deepEqual(await app.mails.all({ to: email }), [])
  const { email: known } = await verified(app)
  const { page: theirs } = await app.visitor().submit('/forgot', { email: known })
  const bare = (html: string, address: string): string =>
    html.replaceAll(address, '').replaceAll(/ value="[^"]*"/g, '')
  assert.equal(bare(page, email), bare(theirs, known))
})

test('the page then says to check the inbox, and keeps the address for another attempt', async () => {
  const email = newEmail()
  const visitor = app.visitor()
  const { page } = await visitor.submit('/forgot', { email: ` ${email}` })
  assert.match(page, /<h1>Check your inbox<\/h1>/)
  assert.ok(page.includes(`<strong class="email">${email}</strong>`))
  assert.equal(valueOn(page, 'email'), email)
  assert.match(page, /Send again/)
  const again = await visitor.submit('/forgot', { email })
  assert.deepEqual([again.status, again.message], [303, sent])
  const { text } = await visitor.ask('/forgot')
  assert.doesNotMatch(text, /Check your inbox/)
})

test('an invalid e-mail is sent back with an error', async () => {
  const { status, to, message, errors, page } = await app.visitor().submit('/forgot', {
    email: 'ada',
  })
  assert.deepEqual([status, to, message], [303, '/forgot', null])
  assert.deepEqual(errors, { email: 'This is not an e-mail address.' })
  assert.equal(valueOn(page, 'email'), 'ada')
})

test('a JSON client gets JSON', async () => {
  const visitor = app.visitor()
  const good = await visitor.send('/forgot', { email: newEmail() })
  assert.equal(good.status, 200)
  assert.deepEqual(good.json(), { redirect: '/forgot' })
  const wrong = await visitor.send('/forgot', {})
  assert.equal(wrong.status, 422)
  assert.deepEqual(wrong.json(), { errors: { email: ['Please enter your e-mail.'] } })
})
