import assert from 'node:assert/strict'
import { after, test } from 'node:test'
import { sql } from 'framework/database'
import { linkIn } from 'framework/testing'
import type { Visitor } from 'framework/testing'
import { totpCode } from 'framework/testing'
import { TestAuthenticator } from 'framework/testing'
import { serveDemo } from '../serve-demo.ts'
import { site } from '../serve-demo.ts'
import { confirmed, isSignedIn, password, registered, signedIn, verified } from './people.ts'

const app = await serveDemo()
after(() => app.close())

const invalid = 'This link is invalid or has expired.'
const fresh = 'seven green bottles'
const day = 86_400

/** The link in the only mail with this subject. */
async function linkTo(email: string, subject: string): Promise<string> {
  return linkIn(await app.mails.sent({ to: email, subject }))
}

/** Sets a new password by mail, as somebody who has nothing else. */
async function resets(email: string, nth = 1): Promise<Visitor> {
  const owner = app.visitor()
  const mail = { to: email, subject: 'Reset your password' }
  // One that was sent before, but comes after it, would be taken for it.
  if (nth > 1) await app.mails.sent(mail, nth - 1)
  await owner.submit('/forgot', { email })
  const link = linkIn(await app.mails.sent(mail, nth))
  await owner.submit(link, { password: fresh, password_confirmation: fresh })
  return owner
}

/** What a thief can add, with the subject of the mail about it and whether it still opens something. */
interface Addition {
  readonly subject: string
  readonly add: (thief: Visitor) => Promise<void>
  readonly works: (email: string) => Promise<boolean>
}

const additions: Addition[] = []

const added = 'A second step was added to your sign-in'

/** Turns codes on; resolves with the key of the app. */
async function addApp(thief: Visitor): Promise<string> {
  const { page } = await thief.submit('/account/two-factor')
  const secret = /<code class="secret">([A-Z2-7 ]+)</.exec(page)?.[1] ?? ''
  await thief.submit('/account/two-factor/enable', { code: totpCode(secret) })
  return secret
}

additions.push({
  subject: added,
  add: async (thief) => {
    await addApp(thief)
  },
  works: async (email) =>
    (await app.visitor().submit('/login', { email, password })).to === '/login/factor',
})
const phone = new TestAuthenticator({ origin: site })

async function addPasskey(thief: Visitor, name: string): Promise<void> {
  const options = await thief.send('/account/passkeys/options')
  await thief.submit('/account/passkeys', { credential: phone.create(options.json()), name })
}

const passkey: Addition = {
  subject: 'A passkey was added to your account',
  add: (thief) => addPasskey(thief, 'Call 555-THIEF'),
  works: async () => {
    const guest = app.visitor()
    const options = await guest.send('/login/passkey/options')
    await guest.submit('/login/passkey', { credential: phone.get(options.json()) })
    return isSignedIn(guest)
  },
}
additions.push(passkey)
let token = ''

const created: Addition = {
  subject: 'A new API token was created',
  add: async (thief) => {
    const fields = { name: 'Call 555-THIEF', 'account:read': 'on', days: '30' }
    const made = await thief.send('/account/tokens', fields)
    token = Object(made.json()).token
  },
  works: async () => {
    const headers = { authorization: `Bearer ${token}`, accept: '*/*' }
    return (await app.visitor().ask('/api/account', { headers })).status === 200
  },
}
additions.push(created)

for (const { subject, add, works } of additions) {
  test(`the mail “${subject}” has a link that takes it away again`, async (t) => {
    const { visitor: thief, email } = await verified(app)
    const other = await signedIn(app, email, { remember: '1' })
    await confirmed(thief)
    await add(thief)
    const mail = await app.mails.sent({ to: email, subject })
    assert.doesNotMatch(`${mail.text} ${mail.html}`, /THIEF/, 'what a thief has typed')
    assert.match(mail.text ?? '', /72 hours/)
    const link = linkIn(mail)
    const owner = app.visitor()
    for (const method of ['HEAD', 'GET', 'GET']) {
      const { status, headers, text } = await owner.ask(link, { method })
      assert.equal(status, 200)
      assert.match(headers['cache-control'] ?? '', /no-store/)
      assert.ok(!text.includes(link.split('/').at(-1) ?? ''), 'the secret is on the page')
    }
    assert.equal((await owner.ask(link, { method: 'POST' })).status, 403, 'without the token')
    assert.equal(await works(email), true)
    assert.equal(await isSignedIn(thief), true)
    const outcome = await owner.submit(link)
    assert.equal(outcome.to, '/forgot')
    assert.match(outcome.message ?? '', /every browser was signed out/)
    assert.equal(await works(email), false)
    other.cookies.delete('session')
    assert.deepEqual([await isSignedIn(thief), await isSignedIn(other)], [false, false])
    await app.mails.sent({ to: email, subject: 'Reset your password' })
    assert.equal((await owner.submit(link)).message, invalid)
    const next = await verified(app)
    await add(await confirmed(next.visitor))
    const late = await linkTo(next.email, subject)
    t.after(app.travel(3 * day))
    assert.equal((await app.visitor().submit(late)).message, invalid)
  })
}

test('the owner who resets after a thief has added an app gets rid of it by the mail', async () => {
  const { visitor: thief, email } = await verified(app)
  await confirmed(thief)
  await addApp(thief)
  const owner = await resets(email)
  const { to, page } = await owner.submit('/login', { email, password: fresh })
  assert.equal(to, '/login/factor')
  assert.match(page, /never set this up[\s\S]*recovery code[\s\S]*Your password was changed/i)
  const mail = await app.mails.sent({ to: email, subject: 'Your password was changed' })
  assert.match(mail.text ?? '', /can still open your account[\s\S]*authenticator app/i)
  assert.match((await owner.ask(linkIn(mail))).text, /Authenticator app/)
  const outcome = await owner.submit(linkIn(mail))
  assert.equal(outcome.to, '/forgot')
  assert.equal((await owner.submit('/login', { email, password: fresh })).to, '/login')
  const again = await resets(email, 3)
  assert.equal((await again.submit('/login', { email, password: fresh })).to, '/account')
})

test('an app that is older than a week stays: reading the mails does not get past it', async (t) => {
  const { visitor, email } = await verified(app)
  await confirmed(visitor)
  await addApp(visitor)
  t.after(app.travel(8 * day))
  const mailThief = await resets(email)
  await mailThief.submit(await linkTo(email, 'Your password was changed'))
  const again = await resets(email, 3)
  assert.equal((await again.submit('/login', { email, password: fresh })).to, '/login/factor')
})

test('a password that a thief has changed is void after the link in the mail about it', async () => {
  const { visitor: thief, email } = await verified(app)
  await confirmed(thief)
  const last = additions.at(-1)
  await last?.add(thief)
  const fields = { current: password, password: fresh, password_confirmation: fresh }
  await thief.submit('/password', fields)
  await app.visitor().submit(await linkTo(email, 'Your password was changed'))
  assert.equal((await app.visitor().submit('/login', { email, password: fresh })).to, '/login')
  assert.equal(await isSignedIn(thief), false)
  assert.notEqual(await last?.works(email), true)
})

test('no link is kept for an owner who gets no mail, because the address is not verified', async () => {
  const own = await serveDemo()
  const { visitor } = await registered(own)
  const { visitor: owner } = await verified(own)
  const fields = { current: password, password: fresh, password_confirmation: fresh }
  for (const person of [visitor, owner]) await person.submit('/password', fields)
  const { accounts, database } = own.services
  await accounts.mails.close()
  const rows = await database.rows(sql`SELECT user_id FROM account_undos`)
  await own.close()
  assert.equal(rows.length, 1, 'that of the owner who is told')
})

test('one button ends every way in but the password and this browser', async () => {
  const { email } = await verified(app)
  const owner = await resets(email)
  await owner.submit('/login', { email, password: fresh })
  await owner.submit('/confirm/password', { password: fresh })
  const other = await signedIn(app, email, { password: fresh, remember: '1' })
  assert.match((await owner.ask('/account/access')).text, /Remembered browser: [\s\S]*New/)
  const done = await owner.submit('/account/access')
  assert.match(done.page, /Nothing but your password/)
  other.cookies.delete('session')
  assert.deepEqual([await isSignedIn(owner), await isSignedIn(other)], [true, false])
})

test('after a reset the account page lists what still opens the account, the newest first', async (t) => {
  const { visitor, email } = await verified(app)
  await confirmed(visitor)
  await passkey.add(visitor)
  t.after(app.travel(8 * day))
  await created.add(await confirmed(await signedIn(app, email)))
  const owner = await resets(email)
  const account = await owner.submit('/login', { email, password: fresh })
  assert.match(account.page, /can still open your account/i)
  await owner.submit('/confirm/password', { password: fresh })
  const page = (await owner.ask('/account/access')).text
  assert.match(page, /API token: [\s\S]*New/)
  assert.match(page, /API token: [\s\S]*Passkey: /)
  assert.doesNotMatch((await owner.ask('/account')).text, /can still open your account/i)
  await owner.submit('/account/access')
  assert.equal(await passkey.works(email), false)
  assert.equal(await created.works(email), false)
})

test('the page that ends everything asks who you are first', async () => {
  const { visitor } = await verified(app)
  assert.equal((await visitor.ask('/account/access')).headers['location'], '/confirm')
  assert.equal((await visitor.submit('/account/access')).to, '/confirm')
  assert.equal((await app.visitor().ask('/account/access')).headers['location'], '/login')
})
