import assert from 'node:assert/strict'
import { after, before, test } from 'node:test'
import {
  confirmed,
  isSignedIn,
  newEmail,
  password,
  registered,
  verified,
} from '../../../demo/tests/auth/people.ts'
import { serveDemo, site } from '../support/demo-tests.ts'
import type { DemoServer } from '../support/demo-tests.ts'
import { TestAuthenticator } from '../../src/accounts/passkeys/passkey-testing.ts'
import type { Outcome, Visitor } from '../../src/testing/visitor.ts'
import { TestIssuer } from '../support/test-issuer.ts'

let issuer: TestIssuer
let app: DemoServer
before(async () => {
  issuer = await TestIssuer.start({ site })
  app = await serveDemo({ env: { ...issuer.env(), OIDC_COMPANY_LABEL: 'Company' } })
})
after(async () => {
  await app.close()
  await issuer.close()
})

const page = '/account/sign-ins'
const crossSite = {
  'sec-fetch-site': 'cross-site',
  'sec-fetch-mode': 'navigate',
  'sec-fetch-dest': 'document',
}

/** Somebody new at the issuer, who is the one that signs in there. */
function newPerson(): string {
  const email = newEmail()
  issuer.person = { sub: `sub of ${email}`, email, email_verified: true }
  return email
}

/** Presses a button that leads to the issuer; resolves with the address that it leads to. */
async function leaves(visitor: Visitor, form: string = '/login/oidc/company'): Promise<string> {
  const body = new URLSearchParams({ _token: await visitor.token() })
  const { status, headers } = await visitor.ask(form, { method: 'POST', body })
  assert.equal(status, 200)
  assert.match(headers['cache-control'] ?? '', /no-store/)
  return /^0; url=(.+)$/.exec(headers['refresh'] ?? '')?.[1] ?? assert.fail()
}

/** Comes back from the issuer, as a browser does. */
async function comesBack(visitor: Visitor, { pathname, search }: URL): Promise<Outcome> {
  return visitor.follow(await visitor.ask(pathname + search, { headers: crossSite }))
}

async function signsIn(visitor: Visitor): Promise<Outcome> {
  return comesBack(visitor, await issuer.visit(await leaves(visitor)))
}

test('a button of the sign-in page leads to the issuer, and back to what was asked for', async () => {
  const email = newPerson()
  const visitor = app.visitor()
  assert.equal((await visitor.ask('/account/activity')).headers['location'], '/login')
  const { text } = await visitor.ask('/login')
  assert.match(text, /action="\/login\/oidc\/company"[\s\S]*Sign in with Company/)
  const { status, to, message, page: shown } = await signsIn(visitor)
  assert.deepEqual([status, to, message], [303, '/account/activity', 'Welcome!'])
  assert.match(shown, /Account created with an account of another site/)
  const account = await visitor.ask('/account')
  assert.ok(account.text.includes(email))
  assert.doesNotMatch(account.text, /Not verified/)
})

test('other sites cannot begin a sign-in for a visitor', async () => {
  const headers = { 'sec-fetch-site': 'cross-site', origin: 'https://evil.example' }
  const visitor = app.visitor()
  await visitor.token()
  const sent = { method: 'POST', body: new URLSearchParams(), headers } as const
  const { status } = await visitor.ask('/login/oidc/company', sent)
  assert.equal(status, 403)
  assert.equal((await visitor.ask('/login/oidc/company')).status, 405)
})

test('looking at the address of a response does not use it up', async () => {
  newPerson()
  const visitor = app.visitor()
  const returned = await issuer.visit(await leaves(visitor))
  const looked = await visitor.ask(returned.pathname + returned.search, { method: 'HEAD' })
  assert.equal(looked.status, 204)
  assert.equal((await comesBack(visitor, returned)).to, '/account')
})

test('a session that did not confirm connects and disconnects nothing', async () => {
  newPerson()
  const { visitor } = await verified(app)
  assert.equal((await visitor.ask(page)).headers['location'], '/confirm')
  for (const form of [`${page}/company`, `${page}/company/disconnect`]) {
    assert.equal((await visitor.submit(form)).to, '/confirm')
  }
})

test('an account whose e-mail is not verified is not connected', async () => {
  newPerson()
  const { visitor } = await registered(app)
  await confirmed(visitor)
  const { to, message } = await visitor.submit(`${page}/company`)
  assert.deepEqual([to, message], ['/account', 'Please verify your e-mail first.'])
})

test('an account is connected and disconnected, with a mail for each, and keeps its other way in', async () => {
  newPerson()
  const { visitor, email } = await registered(app)
  const verify = await app.mails.sent({ to: email, subject: 'Verify your e-mail' })
  await visitor.ask(new URL(/https:\S+/.exec(verify.text ?? '')?.[0] ?? '').pathname)
  await confirmed(visitor)
  const returned = await issuer.visit(await leaves(visitor, `${page}/company`))
  const linked = await comesBack(visitor, returned)
  assert.deepEqual(
    [linked.to, linked.message],
    [page, 'Connected. You can now sign in with Company.'],
  )
  assert.match(linked.page, /Disconnect/)
  await app.mails.sent({ to: email, subject: 'Your account was connected with another site' })
  const elsewhere = app.visitor()
  assert.equal((await signsIn(elsewhere)).to, '/account')
  assert.ok((await elsewhere.ask('/account')).text.includes(email))
  const unlinked = await visitor.submit(`${page}/company/disconnect`)
  assert.equal(unlinked.message, 'Company is disconnected. Other devices were signed out.')
  assert.equal(await isSignedIn(elsewhere), false)
  assert.equal(await isSignedIn(visitor), true)
  await app.mails.sent({ to: email, subject: 'Your account was disconnected from another site' })
})

test('whoever has no password is offered one by mail where it is asked for', async () => {
  const email = newPerson()
  const visitor = app.visitor()
  await signsIn(visitor)
  const asked = await visitor.open(page)
  assert.equal(asked.to, '/confirm')
  assert.match(asked.page, /Your account has no password yet/)
  await visitor.submit('/forgot', { email })
  await app.mails.sent({ to: email, subject: 'Reset your password' })
})

test('an address that somebody else has registered is not entered, and the message says what to do', async () => {
  const { visitor: attacker, email } = await registered(app)
  issuer.person = { sub: 'the owner', email, email_verified: true }
  const { to, message } = await signsIn(app.visitor())
  assert.equal(to, '/login')
  assert.match(message ?? '', /never verified.*Forgot your password/)
  assert.equal(await isSignedIn(attacker), true)
})

test('an issuer that is down is a message, and for programs a 503', async (t) => {
  newPerson()
  const visitor = app.visitor()
  const returned = await issuer.visit(await leaves(visitor))
  const program = app.visitor()
  const begun = await program.send('/login/oidc/company')
  const again = await issuer.visit(String(Object(begun.json()).redirect))
  issuer.isDown = (path) => path === '/token'
  t.after(() => {
    issuer.isDown = () => false
  })
  const { to, message } = await comesBack(visitor, returned)
  assert.equal(to, '/login')
  assert.match(message ?? '', /Company does not respond right now/)
  const headers = { accept: 'application/json' }
  const refused = await program.ask(again.pathname + again.search, { headers })
  assert.equal(refused.status, 503)
  assert.equal((await visitor.ask('/')).status, 200)
})

test('an unknown site is not found', async () => {
  const visitor = app.visitor()
  assert.equal((await visitor.ask('/login/oidc/nobody/callback?state=x&code=y')).status, 404)
  assert.equal((await visitor.submit('/login/oidc/nobody')).status, 404)
})

test('a suspended account is let in by no way, and its sessions end at once', async () => {
  const { services } = app
  const email = newPerson()
  const owner = app.visitor()
  await signsIn(owner)
  const { id } = (await services.accounts.users.fetch(email)) ?? assert.fail()
  await services.accounts.users.rotate(id, password)
  await owner.submit('/login', { email, password })
  const phone = new TestAuthenticator({ origin: site })
  const options = await services.accounts.passkeys.creationOptions({ id, email }, 'here')
  const made = { credential: phone.create(options), name: 'Phone', binding: 'here' }
  await services.accounts.passkeys.register(id, made, { keep: null, device: null })
  const wanted = { name: 'CI', scopes: ['account:read'], ttl: 3600 }
  const token = await services.accounts.apiTokens.create(id, wanted, { keep: null })
  const remembered = app.visitor()
  await remembered.submit('/login', { email, password, remember: '1' })
  const asked = app.visitor()
  await asked.submit('/login/mail', { email })
  const mail = await app.mails.sent({ to: email, subject: 'Your sign-in code' })
  const code = /^ {4}(\d{6})$/m.exec(mail.text ?? '')?.[1] ?? ''
  const guest = app.visitor()
  const entry = await guest.send('/login/passkey/options')
  const ask = (): Promise<{ status: number }> =>
    app.visitor().ask('/api/account', { headers: { authorization: `Bearer ${token?.value}` } })
  assert.deepEqual([await isSignedIn(remembered), (await ask()).status], [true, 200])

  const ended = await services.accounts.credentials.suspend(id)
  assert.equal(ended?.devices, 1)
  assert.deepEqual([await isSignedIn(owner), await isSignedIn(remembered)], [false, false])
  assert.equal((await ask()).status, 401)
  const ways: readonly (() => Promise<Outcome>)[] = [
    () => app.visitor().submit('/login', { email, password }),
    () => guest.submit('/login/passkey', { credential: phone.get(entry.json()) }),
    () => asked.submit('/login/mail/code', { code }),
    () => signsIn(app.visitor()),
  ]
  for (const [at, way] of ways.entries()) {
    const { status, page: shown } = await way()
    assert.equal(status, 403, String(at))
    assert.match(shown, /This account is suspended/)
  }
  assert.deepEqual(await services.sessions.list(id), [])
  const wrong = await app.visitor().submit('/login', { email, password: 'not this one' })
  assert.equal(wrong.message, 'Invalid credentials.', 'only after the right proof')

  assert.equal(await services.accounts.credentials.restore(id), true)
  assert.equal((await ask()).status, 200)
  assert.equal((await app.visitor().submit('/login', { email, password })).to, '/account')
  assert.equal((await signsIn(app.visitor())).to, '/account')
})
