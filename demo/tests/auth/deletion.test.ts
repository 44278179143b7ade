import assert from 'node:assert/strict'
import { after, test } from 'node:test'
import { linkIn } from 'framework/testing'
import type { Visitor } from 'framework/testing'
import { serveDemo } from '../serve-demo.ts'
import { confirmed, isSignedIn, registered, signedIn, verified } from './people.ts'

const app = await serveDemo()
after(() => app.close())

const page = '/account/delete'
const notice = /id="deletion-title"/

/** A visitor who has asked to delete the account, and the link that keeps it. */
async function leaving() {
  const { visitor, email } = await verified(app)
  await confirmed(visitor)
  await visitor.submit(page)
  return {
    visitor,
    email,
    link: linkIn(await app.mails.sent({ to: email, subject: 'Your account will be deleted' })),
  }
}

async function hasNotice(visitor: Visitor): Promise<boolean> {
  return notice.test((await visitor.ask('/account')).text)
}

test('its page asks who you are first, and a stolen session deletes nothing', async () => {
  const { visitor } = await registered(app)
  assert.equal((await visitor.ask(page)).headers['location'], '/confirm')
  assert.equal((await visitor.submit(page)).to, '/confirm')
  assert.equal(await hasNotice(visitor), false)
  assert.equal((await app.visitor().ask(page)).headers['location'], '/login')
})

test('a request sets a date, signs out other browsers and is told by mail', async () => {
  const { visitor, email } = await verified(app)
  const other = await signedIn(app, email, { remember: '1' })
  await confirmed(visitor)
  assert.match((await visitor.ask(page)).text, /<strong>7 days<\/strong> from now/)
  const { to, message } = await visitor.submit(page)
  assert.equal(to, '/account')
  assert.equal(message, 'Your account will be deleted. Until then you can change your mind.')
  assert.equal(await isSignedIn(visitor), true)
  other.cookies.delete('session')
  assert.equal(await isSignedIn(other), false)
  assert.match((await visitor.ask(page)).text, /Keep my account/)
  const mail = await app.mails.sent({ to: email, subject: 'Your account will be deleted' })
  const date = new Date(Date.now() + 7 * 86_400_000).toISOString().slice(0, 10)
  assert.ok(mail.text?.includes(date))
})

test('whoever signs in during the delay sees a notice, and keeps the account with its button', async () => {
  const { email } = await leaving()
  const visitor = await signedIn(app, email)
  assert.equal(await hasNotice(visitor), true)
  const { to, message } = await visitor.submit('/account/delete/cancel')
  assert.deepEqual([to, message], ['/account', 'Your account stays. Nothing was deleted.'])
  assert.equal(await hasNotice(visitor), false)
})

test('the owner of an address that somebody else has registered does not inherit a date', async () => {
  const { visitor: stranger, email } = await registered(app)
  await confirmed(stranger)
  await stranger.submit(page)
  assert.equal(await hasNotice(stranger), true)
  const owner = app.visitor()
  await owner.submit('/forgot', { email })
  const words = 'seven green bottles'
  const reset = linkIn(await app.mails.sent({ to: email, subject: 'Reset your password' }))
  await owner.submit(reset, { password: words, password_confirmation: words })
  assert.equal((await owner.submit('/login', { email, password: words })).to, '/account')
  assert.equal(await hasNotice(owner), false)
})

test('the link in the mail keeps the account by a button, and opening it spends nothing', async () => {
  const { visitor, link } = await leaving()
  const guest = app.visitor()
  for (const method of ['HEAD', 'GET', 'GET']) {
    assert.equal((await guest.ask(link, { method })).status, 200)
  }
  assert.equal(await hasNotice(visitor), true)
  const { text, headers } = await guest.ask(link)
  assert.ok(!text.includes(link.split('/')[4] ?? 'no verifier'), 'the secret is on the page')
  assert.match(headers['cache-control'] ?? '', /no-store/)
  const { to, message } = await guest.submit(link)
  assert.deepEqual([to, message], ['/login', 'Your account stays. Nothing was deleted.'])
  assert.equal(await hasNotice(visitor), false)
  const again = await guest.submit(link)
  assert.equal(again.message, 'This link is invalid, or the account is deleted already.')
})

test('when the account is deleted at last, a verified owner is told in one mail', async (t) => {
  const { visitor, email } = await leaving()
  const { visitor: stranger, email: unverified } = await registered(app)
  await confirmed(stranger)
  await stranger.submit(page)
  t.after(app.travel(8 * 86_400))
  const { mails, deletion } = app.services.accounts
  await Promise.all([deletion.sweep(), deletion.sweep()])
  await Promise.all([mails.gathered.sweep(), mails.gathered.sweep()])
  const subject = 'Your account was deleted'
  const mail = await app.mails.sent({ to: email, subject })
  assert.match(mail.text ?? '', /This is our last message to you/)
  assert.equal((await app.mails.all({ to: email, subject })).length, 1)
  assert.deepEqual(await app.mails.all({ to: unverified, subject }), [])
  assert.equal(await isSignedIn(visitor), false)
})
