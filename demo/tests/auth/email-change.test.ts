import assert from 'node:assert/strict'
import { after, test } from 'node:test'
import { linkIn } from 'framework/testing'
import type { Visitor } from 'framework/testing'
import { totpCode } from 'framework/testing'
import { TestAuthenticator } from 'framework/testing'
import { serveDemo } from '../serve-demo.ts'
import { site } from '../serve-demo.ts'
import {
  confirmed,
  isSignedIn,
  newEmail,
  password,
  registered,
  signedIn,
  verified,
} from './people.ts'

const app = await serveDemo()
after(() => app.close())

const page = '/account/email'
const asked = 'Confirm your new e-mail'
const changed = 'Your e-mail address was changed'
const sent = 'We sent a link to your new address. Nothing changes before you open it.'
const invalid = 'This link is invalid or has expired.'

/** A visitor who has asked for another address, and the link in the mail. */
async function asking() {
  const { visitor, email } = await verified(app)
  await confirmed(visitor)
  const fresh = newEmail()
  await visitor.submit(page, { email: fresh })
  return {
    visitor,
    email,
    fresh,
    link: linkIn(await app.mails.sent({ to: fresh, subject: asked })),
  }
}

/** A visitor whose address was changed, and the link in the mail to the former one. */
async function moved() {
  const { visitor, email, fresh, link } = await asking()
  await visitor.submit(link)
  return {
    visitor,
    email,
    fresh,
    undo: linkIn(await app.mails.sent({ to: email, subject: changed })),
  }
}

/** The address that the account page shows. */
async function emailOf(visitor: Visitor): Promise<string | undefined> {
  return /<span class="email">([^<]+)</.exec((await visitor.ask('/account')).text)?.[1]
}

test('its page asks who you are first, and a stolen session changes nothing', async () => {
  const { visitor, email } = await registered(app)
  const thief = app.visitor()
  for (const [name, value] of visitor.cookies) thief.cookies.set(name, value)
  assert.equal((await thief.ask(page)).headers['location'], '/confirm')
  const fresh = newEmail()
  assert.equal((await thief.submit(page, { email: fresh })).to, '/confirm')
  assert.equal((await app.visitor().ask(page)).headers['location'], '/login')
  assert.equal(await emailOf(visitor), email)
  assert.deepEqual(await app.mails.all({ to: fresh }), [])
})

test('the link is mailed to the new address, and its button changes the e-mail', async () => {
  const { visitor, email } = await verified(app)
  const other = await signedIn(app, email, { remember: '1' })
  await confirmed(visitor)
  const fresh = newEmail()
  const outcome = await visitor.submit(page, { email: fresh })
  assert.deepEqual([outcome.to, outcome.message], [page, sent])
  assert.match(outcome.page, /Check your new inbox/)
  const link = linkIn(await app.mails.sent({ to: fresh, subject: asked }))
  const shown = await visitor.ask(link)
  assert.equal(shown.status, 200)
  assert.match(shown.text, /Change my e-mail/)
  assert.ok(!shown.text.includes(link.split('/')[4] ?? 'no verifier'), 'the secret is on the page')
  assert.match(shown.headers['cache-control'] ?? '', /no-store/)
  assert.equal(await emailOf(visitor), email)
  const session = visitor.cookies.get('session')
  const done = await visitor.submit(link)
  assert.deepEqual(
    [done.to, done.message],
    ['/account', 'E-mail changed. Other devices were signed out.'],
  )
  assert.equal(await emailOf(visitor), fresh)
  assert.match(done.page, /Verified/)
  assert.notEqual(visitor.cookies.get('session'), session)
  other.cookies.delete('session')
  assert.equal(await isSignedIn(other), false)
  assert.equal((await app.visitor().submit('/login', { email: fresh, password })).to, '/account')
  assert.equal((await app.visitor().submit('/login', { email, password })).to, '/login')
  assert.equal((await visitor.submit(link)).message, invalid)
  await app.mails.sent({ to: email, subject: changed })
})

test('opening the link spends nothing, however a scanner does it', async () => {
  const { visitor, email, link } = await asking()
  const scanner = app.visitor()
  for (const method of ['HEAD', 'GET', 'GET']) {
    assert.equal((await scanner.ask(link, { method })).status, 200)
    assert.equal((await visitor.ask(link, { method })).status, 200)
  }
  for (const purpose of ['prefetch', 'prefetch;prerender']) {
    await visitor.ask(link, { headers: { 'sec-purpose': purpose } })
  }
  assert.equal(await emailOf(visitor), email)
  assert.equal((await visitor.submit(link)).to, '/account')
})

test('in another browser the link explains itself and spends nothing', async () => {
  const { visitor, email, link } = await asking()
  const guest = app.visitor()
  assert.match((await guest.ask(link)).text, /Open this link in the other browser/)
  assert.equal((await guest.submit(link)).to, '/login')
  const phone = await signedIn(app, email)
  assert.match((await phone.ask(link)).text, /Open this link in the other browser/)
  const body = new URLSearchParams({ _token: await phone.token() })
  assert.equal((await phone.ask(link, { method: 'POST', body })).status, 403)
  assert.equal(await emailOf(visitor), email)
  assert.equal((await visitor.submit(link)).to, '/account')
})

test('an address that is taken gets the same answer, and its owner a mail', async () => {
  const { visitor } = await registered(app)
  const owner = await registered(app)
  await confirmed(visitor)
  const outcome = await visitor.submit(page, { email: owner.email })
  assert.deepEqual([outcome.status, outcome.to, outcome.message], [303, page, sent])
  assert.match(outcome.page, /Check your new inbox/)
  const mail = await app.mails.sent({ to: owner.email, subject: 'Your e-mail address was entered' })
  assert.doesNotMatch(mail.text ?? '', /account\/email/)
  assert.deepEqual(
    (await app.mails.all({ to: owner.email })).filter((one) => one.header('subject') === asked),
    [],
  )
})

test('the former mailbox takes the account back, although somebody else has the session', async () => {
  const { visitor: thief, email, fresh, undo } = await moved()
  const factor = '/account/two-factor'
  const setup = (await thief.submit(factor)).page
  const secret = /<code class="secret">([A-Z2-7 ]+)</.exec(setup)?.[1] ?? ''
  const enabled = await thief.send(`${factor}/enable`, { code: totpCode(secret) })
  assert.equal(Object(enabled.json()).codes.length, 10)
  const owner = app.visitor()
  for (const method of ['HEAD', 'GET', 'GET']) {
    assert.equal((await owner.ask(undo, { method })).status, 200)
  }
  assert.equal(await emailOf(thief), fresh)
  const { to, message, page: shown } = await owner.submit(undo)
  assert.equal(to, '/forgot')
  assert.match(message ?? '', /Your e-mail address is back and every browser was signed out/)
  assert.match(shown, /Check your inbox/)
  assert.equal(await isSignedIn(thief), false)
  for (const known of [email, fresh]) {
    assert.equal((await thief.submit('/login', { email: known, password })).to, '/login')
  }
  const words = 'seven green bottles'
  const reset = linkIn(await app.mails.sent({ to: email, subject: 'Reset your password' }))
  await owner.submit(reset, { password: words, password_confirmation: words })
  // And is not asked for a code of the thief.
  assert.equal((await owner.submit('/login', { email, password: words })).to, '/account')
  assert.equal((await owner.submit(undo)).message, 'This link is invalid or has expired.')
  assert.equal(await emailOf(owner), email)
})

test('a passkey that a thief has added opens nothing once the account was taken back', async () => {
  const { visitor: thief, undo } = await moved()
  const phone = new TestAuthenticator({ origin: site })
  await confirmed(thief)
  const options = await thief.send('/account/passkeys/options')
  await thief.submit('/account/passkeys', { credential: phone.create(options.json()), name: 'x' })
  const enter = async () => {
    const guest = app.visitor()
    const request = await guest.send('/login/passkey/options')
    await guest.submit('/login/passkey', { credential: phone.get(request.json()) })
    return isSignedIn(guest)
  }
  assert.equal(await enter(), true)
  assert.equal((await app.visitor().submit(undo)).to, '/forgot')
  assert.equal(await enter(), false)
})

test('a former address that was never verified gets no link, which would give the account away', async () => {
  const { visitor, email } = await registered(app)
  await confirmed(visitor)
  const fresh = newEmail()
  await visitor.submit(page, { email: fresh })
  await visitor.submit(linkIn(await app.mails.sent({ to: fresh, subject: asked })))
  assert.equal(await emailOf(visitor), fresh)
  const fields = { email, password, password_confirmation: password }
  assert.equal((await app.visitor().submit('/register', fields)).to, '/account')
  await app.mails.sent({ to: email, subject: 'Verify your e-mail' }, 2)
  const subjects = (await app.mails.all({ to: email })).map((mail) => mail.header('subject'))
  assert.equal(subjects.includes(changed), false)
})

test('nobody registers the former address in the meantime', async () => {
  const { email, undo } = await moved()
  const squatter = app.visitor()
  const fields = { email, password, password_confirmation: password }
  const { to, errors } = await squatter.submit('/register', fields)
  assert.deepEqual([to, errors], ['/register', { email: 'This e-mail is already registered.' }])
  assert.equal((await app.visitor().submit(undo)).to, '/forgot')
})

test('links to the former address die with the change', async () => {
  const { visitor, email, link } = await asking()
  await app.visitor().submit('/forgot', { email })
  const reset = linkIn(await app.mails.sent({ to: email, subject: 'Reset your password' }))
  await visitor.submit(link)
  assert.equal((await app.visitor().ask(reset)).headers['location'], '/forgot')
})

test('a form with errors is shown again', async () => {
  const { visitor, email } = await registered(app)
  await confirmed(visitor)
  for (const [typed, error] of [
    ['', 'Please enter your e-mail.'],
    ['nonsense', 'This is not an e-mail address.'],
    [email.toUpperCase(), 'This is your e-mail address already.'],
  ] as const) {
    const { to, errors } = await visitor.submit(page, { email: typed })
    assert.deepEqual([to, errors], [page, { email: error }])
  }
})

test('mails to one address and requests of one account are limited', async () => {
  const { visitor } = await registered(app)
  await confirmed(visitor)
  const statuses: number[] = []
  for (let round = 0; round < 6; round += 1) {
    statuses.push((await visitor.submit(page, { email: newEmail() })).status)
  }
  assert.deepEqual(statuses, [303, 303, 303, 303, 303, 429])
  const target = newEmail()
  const mails: number[] = []
  for (let round = 0; round < 6; round += 1) {
    const { visitor: another } = await registered(app)
    await confirmed(another)
    mails.push((await another.submit(page, { email: target })).status)
  }
  assert.deepEqual(mails, [303, 303, 303, 303, 303, 429])
})

test('a JSON client gets JSON', async () => {
  const { visitor } = await registered(app)
  await confirmed(visitor)
  const answer = await visitor.send(page, { email: newEmail() })
  assert.deepEqual([answer.status, answer.json()], [200, { redirect: page }])
})
