import assert from 'node:assert/strict'
import { after, before, test } from 'node:test'
import type { ProjectServer } from 'framework/testing'
import { serveDemo, site } from '../serve-demo.ts'
import { linkIn, mailTo, mailsTo } from './mails.ts'
import { newEmail, registered } from './people.ts'
import { valueOn } from 'framework/testing'
import { Visitor } from './visitor.ts'

let app: ProjectServer
before(async () => {
  app = await serveDemo()
})
after(() => app.close())

const sent = 'If that e-mail exists, we sent a password reset link.'

test('GET /forgot shows the form to guests and redirects others to their account', async () => {
  assert.equal((await new Visitor(app).ask('/forgot')).status, 200)
  const { visitor } = await registered(app)
  const { status, headers } = await visitor.ask('/forgot')
  assert.deepEqual([status, headers['location']], [303, '/account'])
})

test('the owner of an account gets a mail with a link', async () => {
  const { email } = await registered(app)
  const visitor = new Visitor(app)
  const { status, to, message } = await visitor.submit('/forgot', {
    email: ` ${email.toUpperCase()} `,
  })
  assert.deepEqual([status, to, message], [303, '/forgot', sent])
  const mail = await mailTo(app, email, 'Reset your password')
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
  const { status, to, message, errors, page } = await new Visitor(app).submit('/forgot', { email })
  assert.deepEqual([status, to, message, errors], [303, '/forgot', sent, {}])
  assert.deepEqual(await mailsTo(app, email), [])
  const { email: known } = await registered(app)
  const { page: theirs } = await new Visitor(app).submit('/forgot', { email: known })
  const bare = (html: string, address: string): string =>
    html.replaceAll(address, '').replaceAll(/ value="[^"]*"/g, '')
  assert.equal(bare(page, email), bare(theirs, known))
})

test('the page then says to check the inbox, and keeps the address for another attempt', async () => {
  const email = newEmail()
  const visitor = new Visitor(app)
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
  const { status, to, message, errors, page } = await new Visitor(app).submit('/forgot', {
    email: 'ada',
  })
  assert.deepEqual([status, to, message], [303, '/forgot', null])
  assert.deepEqual(errors, { email: 'This is not an e-mail address.' })
  assert.equal(valueOn(page, 'email'), 'ada')
})

test('a JSON client gets JSON', async () => {
  const visitor = new Visitor(app)
  const good = await visitor.send('/forgot', { email: newEmail() })
  assert.equal(good.status, 200)
  assert.deepEqual(good.json(), { redirect: '/forgot' })
  const wrong = await visitor.send('/forgot', {})
  assert.equal(wrong.status, 422)
  assert.deepEqual(wrong.json(), { errors: { email: ['Please enter your e-mail.'] } })
})
