import assert from 'node:assert/strict'
import { after, test } from 'node:test'
import { TestAuthenticator } from 'framework/testing'
import type { Visitor } from 'framework/testing'
import { serveDemo, site } from '../serve-demo.ts'
import { confirmed, isSignedIn, password, signedIn, verified } from './people.ts'

const app = await serveDemo()
after(() => app.close())

const page = '/account/passkeys'

/** A visitor whose account has a passkey. */
async function enrolled() {
  const { visitor, email } = await verified(app)
  await confirmed(visitor)
  const phone = new TestAuthenticator({ origin: site })
  const added = await add(visitor, phone)
  return { visitor, email, phone, added }
}

async function add(visitor: Visitor, phone: TestAuthenticator, name = 'My phone') {
  const options = await visitor.send(`${page}/options`)
  return visitor.submit(page, { credential: phone.create(options.json()), name })
}

/** Submits the answer of an authenticator to the options of a form. */
async function use(visitor: Visitor, phone: TestAuthenticator, form: string, fields = {}) {
  const options = await visitor.send(`${form}/options`)
  return visitor.submit(form, { credential: phone.get(options.json()), ...fields })
}

function handlesOn(text: string): string[] {
  return [...text.matchAll(/passkeys\/([0-9a-f]{64})\/remove/g)].map((match) => match[1] ?? '')
}

test('its page asks who you are first', async () => {
  const { visitor } = await verified(app)
  assert.equal((await visitor.ask(page)).headers['location'], '/confirm')
  assert.equal((await visitor.send(`${page}/options`)).status, 401)
  const one = `${page}/${'0'.repeat(64)}`
  for (const form of [page, `${one}/rename`, `${one}/remove`]) {
    assert.equal((await visitor.submit(form)).to, '/confirm')
  }
  assert.equal((await app.visitor().ask(page)).headers['location'], '/login')
})

test('a passkey is added with its name, and the owner is told by mail', async () => {
  const { visitor, email, added } = await enrolled()
  assert.deepEqual([added.to, added.message], [page, 'Passkey added.'])
  assert.match(added.page, /My phone/)
  assert.match(added.page, /Never used/)
  assert.equal(await isSignedIn(visitor), true)
  await app.mails.sent({ to: email, subject: 'A passkey was added to your account' })
})

test('it signs in without a password, and remembers the browser on request', async () => {
  const { phone } = await enrolled()
  const guest = app.visitor()
  assert.match((await guest.ask('/login')).text, /autocomplete="username webauthn"/)
  const { to, message } = await use(guest, phone, '/login/passkey')
  assert.deepEqual([to, message], ['/account', 'Welcome back!'])
  assert.equal(await isSignedIn(guest), true)
  assert.equal(guest.cookies.has('remember'), false)
  const other = app.visitor()
  await use(other, phone, '/login/passkey', { remember: '1' })
  other.cookies.delete('session')
  assert.equal(await isSignedIn(other), true)
})

test('it goes on to the page that was asked for', async () => {
  const { phone } = await enrolled()
  const guest = app.visitor()
  await guest.ask('/password')
  assert.equal((await use(guest, phone, '/login/passkey')).to, '/password')
})

test('the password works too, and nothing is asked for after it', async () => {
  const { email } = await enrolled()
  const guest = app.visitor()
  assert.equal((await guest.submit('/login', { email, password })).to, '/account')
})

test('a refused passkey says so, and reveals nothing', async () => {
  const { phone } = await enrolled()
  const stranger = new TestAuthenticator({ origin: site })
  const { visitor } = await verified(app)
  await confirmed(visitor)
  stranger.create((await visitor.send(`${page}/options`)).json())
  phone.origin = 'https://demo.example.evil'
  for (const authenticator of [phone, stranger]) {
    const guest = app.visitor()
    const { to, message } = await use(guest, authenticator, '/login/passkey')
    assert.equal(to, '/login')
    assert.equal(
      message,
      'This passkey was not accepted. Try again, or sign in with your password.',
    )
    assert.equal(await isSignedIn(guest), false)
  }
  const guest = app.visitor()
  assert.equal((await guest.submit('/login/passkey', { credential: '{}' })).to, '/login')
  const json = await guest.send('/login/passkey', { credential: '' })
  assert.equal(json.status, 401)
})

test('it confirms who you are', async () => {
  const { phone, email } = await enrolled()
  const visitor = await signedIn(app, email)
  await visitor.ask('/logout/others')
  assert.match((await visitor.ask('/confirm')).text, /Confirm with a passkey/)
  const wrong = await visitor.submit('/confirm/passkey', { credential: '{}' })
  assert.deepEqual(
    [wrong.to, wrong.page.includes('This passkey is not correct.')],
    ['/confirm', true],
  )
  assert.equal((await use(visitor, phone, '/confirm/passkey')).to, '/logout/others')
  const guest = app.visitor()
  assert.notEqual((await guest.send('/confirm/passkey/options')).status, 200)
})

test('the second step has options only for those who began to sign in', async () => {
  const guest = app.visitor()
  assert.equal((await guest.send('/login/factor/passkey/options')).status, 401)
})

test('one can be renamed by its owner, and nothing else changes', async () => {
  const { visitor, email, phone, added } = await enrolled()
  const other = await signedIn(app, email)
  const [handle = ''] = handlesOn(added.page)
  const rename = `${page}/${handle}/rename`
  const stranger = await verified(app)
  await confirmed(stranger.visitor)
  assert.equal((await stranger.visitor.submit(rename, { name: 'Mine' })).status, 404)
  const empty = await visitor.submit(rename, { name: '  ' })
  assert.deepEqual([empty.to, empty.message], [page, 'Please enter a name.'])
  const renamed = await visitor.submit(rename, { name: ` Work phone ${'x'.repeat(200)}` })
  assert.deepEqual([renamed.to, renamed.message], [page, 'Passkey renamed.'])
  assert.match(renamed.page, /class="row-name">Work phone x{89}[ <]/)
  assert.doesNotMatch(renamed.page, /My phone/)
  assert.equal(await isSignedIn(other), true)
  assert.equal((await use(app.visitor(), phone, '/login/passkey')).to, '/account')
})

test('removing one signs out other browsers, and it does not sign in any more', async () => {
  const { visitor, email, phone, added } = await enrolled()
  const other = await signedIn(app, email)
  const [handle = ''] = handlesOn(added.page)
  const stranger = await verified(app)
  await confirmed(stranger.visitor)
  assert.equal((await stranger.visitor.submit(`${page}/${handle}/remove`)).status, 404)
  const { to, message } = await visitor.submit(`${page}/${handle}/remove`)
  assert.deepEqual([to, message], [page, 'Passkey removed. Other devices were signed out.'])
  assert.equal(await isSignedIn(visitor), true)
  assert.equal(await isSignedIn(other), false)
  assert.equal((await use(app.visitor(), phone, '/login/passkey')).to, '/login')
  await app.mails.sent({ to: email, subject: 'A passkey was removed from your account' })
})

test('a copy that has fallen behind is refused, and the owner is told by mail', async () => {
  const { visitor, email } = await verified(app)
  await confirmed(visitor)
  const stick = new TestAuthenticator({ origin: site, counts: true })
  await add(visitor, stick, 'Stick')
  await use(app.visitor(), stick, '/login/passkey')
  const [credential] = stick.credentials
  assert.ok(credential)
  credential.counter = 0
  assert.equal((await use(app.visitor(), stick, '/login/passkey')).to, '/login')
  const subject = 'We refused one of your passkeys'
  await app.mails.sent({ to: email, subject })
  credential.counter = 0
  assert.equal((await use(visitor, stick, '/confirm/passkey')).to, '/confirm')
  const told = await app.mails.sent({ to: email, subject }, 2)
  assert.match(told.text ?? '', /Firefox on Linux, 10\./)
  assert.match((await visitor.ask('/account/activity')).text, /Passkey refused that may be a copy/)
  const mails = await app.mails.all({ to: email })
  assert.equal(
    mails.some(({ text }) => text?.includes(credential.id) ?? false),
    false,
  )
})
