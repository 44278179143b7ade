import assert from 'node:assert/strict'
import { after, test } from 'node:test'
import { linkIn, totpCode } from 'framework/testing'
import type { Visitor } from 'framework/testing'
import { serveDemo } from '../serve-demo.ts'
import { confirmed, isSignedIn, password, signedIn, verified } from './people.ts'

const app = await serveDemo()
after(() => app.close())

const page = '/account/two-factor'

/** The key on the page that sets up an app. */
async function secretFor(visitor: Visitor): Promise<string> {
  const outcome = await visitor.submit(page)
  return /<code class="secret">([A-Z2-7 ]+)</.exec(outcome.page)?.[1] ?? ''
}

/** Sends a form whose response is a page. */
async function pageOf(visitor: Visitor, url: string, fields = {}): Promise<string> {
  const body = new URLSearchParams({ _token: await visitor.token(), ...fields })
  return (await visitor.ask(url, { method: 'POST', body })).text
}

function codesOn(text: string): string[] {
  return [...text.matchAll(/<code>([a-z2-7-]{19})<\/code>/g)].map((match) => match[1] ?? '')
}

/** A visitor whose account asks for codes. */
async function enabled() {
  const { visitor, email } = await verified(app)
  await confirmed(visitor)
  const secret = await secretFor(visitor)
  const text = await pageOf(visitor, `${page}/enable`, { code: totpCode(secret) })
  const next = (): string => totpCode(secret, Date.now() / 1000 + 30)
  return { visitor, email, secret, codes: codesOn(text), next }
}

test('its page asks who you are first', async () => {
  const { visitor } = await verified(app)
  assert.equal((await visitor.ask(page)).headers['location'], '/confirm')
  for (const name of ['', '/enable', '/cancel', '/codes', '/disable']) {
    const form = `${page}${name}`
    assert.equal((await visitor.submit(form)).to, '/confirm')
  }
  assert.equal((await app.visitor().ask(page)).headers['location'], '/login')
})

test('an app is set up with a QR code and its first code, and ten recovery codes are shown once', async () => {
  const { visitor, email } = await verified(app)
  const other = await signedIn(app, email)
  await confirmed(visitor)
  assert.match((await visitor.ask(page)).text, /Set up an app/)
  const secret = await secretFor(visitor)
  const setup = await visitor.ask(page)
  assert.match(setup.text, /<div class="qr"><svg [^>]*role="img"/)
  const key = secret.replaceAll(' ', '')
  assert.ok(
    setup.text.includes('href="otpauth://totp/'),
    'nobody scans the screen of their own phone',
  )
  assert.ok(new RegExp(`href="otpauth:[^"]*secret=${key}`).test(setup.text))
  assert.match(setup.headers['cache-control'] ?? '', /no-store/)
  const wrong = await visitor.submit(`${page}/enable`, { code: '000000' })
  assert.deepEqual([wrong.to, Object.keys(wrong.errors)], [page, ['code']])
  const body = new URLSearchParams({ _token: await visitor.token(), code: totpCode(secret) })
  const shown = await visitor.ask(`${page}/enable`, { method: 'POST', body })
  assert.deepEqual([shown.status, codesOn(shown.text).length], [200, 10])
  assert.match(shown.headers['cache-control'] ?? '', /no-store/)
  const { text } = await visitor.ask(page)
  assert.match(text, /10 recovery codes are left/)
  assert.doesNotMatch(text, /class="qr"/)
  assert.equal(await isSignedIn(visitor), true)
  assert.equal(await isSignedIn(other), false)
  await app.mails.sent({ to: email, subject: 'A second step was added to your sign-in' })
})

test('signing in asks for a code, which works once', async () => {
  const { email, next } = await enabled()
  const visitor = app.visitor()
  const begun = await visitor.submit('/login', { email, password })
  assert.deepEqual([begun.status, begun.to], [303, '/login/factor'])
  assert.equal(await isSignedIn(visitor), false)
  const wrong = await visitor.submit('/login/factor/totp', { code: '000000' })
  assert.deepEqual([wrong.to, wrong.message], ['/login/factor', 'This code is not correct.'])
  const code = next()
  const { to, message } = await visitor.submit('/login/factor/totp', { code })
  assert.deepEqual([to, message], ['/account', 'Welcome back!'])
  assert.equal(await isSignedIn(visitor), true)
  const thief = app.visitor()
  await thief.submit('/login', { email, password })
  assert.equal((await thief.submit('/login/factor/totp', { code })).to, '/login/factor')
})

test('a recovery code signs in once, and the owner is told by mail', async () => {
  const { email, codes } = await enabled()
  const [code = ''] = codes
  const visitor = app.visitor()
  await visitor.submit('/login', { email, password })
  assert.equal((await visitor.submit('/login/factor/totp', { code })).to, '/account')
  const again = app.visitor()
  await again.submit('/login', { email, password })
  assert.equal((await again.submit('/login/factor/totp', { code })).to, '/login/factor')
  const mail = await app.mails.sent({
    to: email,
    subject: 'A recovery code was used for your account',
  })
  assert.doesNotMatch(`${mail.text} ${mail.html}`, new RegExp(code))
  assert.match(mail.text ?? '', /Firefox on Linux, 10\./)
  const { text } = await visitor.ask('/account/activity')
  assert.match(text, /Recovery code used[^]*?<span>Firefox on Linux<\/span>/)
})

test('a remembered browser is not asked again; a reset by mail is', async () => {
  const { email, codes, next } = await enabled()
  const visitor = app.visitor()
  await visitor.submit('/login', { email, password, remember: '1' })
  await visitor.submit('/login/factor/totp', { code: next() })
  visitor.cookies.delete('session')
  assert.equal(await isSignedIn(visitor), true)
  const fresh = 'seven green bottles'
  const stranger = app.visitor()
  await stranger.submit('/forgot', { email })
  const link = linkIn(await app.mails.sent({ to: email, subject: 'Reset your password' }))
  await stranger.submit(link, { password: fresh, password_confirmation: fresh })
  assert.equal(await isSignedIn(stranger), false)
  assert.equal((await stranger.submit('/login', { email, password: fresh })).to, '/login/factor')
  const [, code = ''] = codes
  assert.equal((await stranger.submit('/login/factor/totp', { code })).to, '/account')
})

test('after five wrong codes the password is asked for again', async () => {
  const { email, next } = await enabled()
  const visitor = app.visitor()
  await visitor.submit('/login', { email, password })
  const tried = () => visitor.submit('/login/factor/totp', { code: '000000' })
  for (let round = 0; round < 4; round += 1) assert.equal((await tried()).to, '/login/factor')
  const { status, to, message } = await tried()
  assert.deepEqual(
    [status, to, message],
    [303, '/login', 'Too many wrong codes. Please sign in again.'],
  )
  assert.equal((await visitor.ask('/login')).status, 200)
  assert.equal((await visitor.ask('/login/factor')).headers['location'], '/login')
  assert.equal((await visitor.submit('/login/factor/totp', { code: next() })).to, '/login')
  assert.equal((await visitor.submit('/login', { email, password })).to, '/login/factor')
  assert.equal((await visitor.submit('/login/factor/totp', { code: next() })).to, '/account')
})

test('the password does not help to guess codes for ever', async () => {
  const { email, next } = await enabled()
  const visitor = app.visitor()
  const statuses: number[] = []
  for (let round = 0; round < 3; round += 1) {
    await visitor.submit('/login', { email, password })
    for (let left = 5; left > 0; left -= 1) {
      statuses.push((await visitor.submit('/login/factor/totp', { code: '000000' })).status)
    }
  }
  assert.deepEqual(statuses, [...Array(10).fill(303), ...Array(5).fill(429)])
  assert.equal((await visitor.submit('/login/factor/totp', { code: next() })).status, 429)
})

test('a sign-in that waits for its code is no place where the account is signed in', async () => {
  const { visitor, email } = await enabled()
  const places = async () =>
    (await visitor.ask('/account')).text.match(/class="row-facts"/g)?.length
  const before = await places()
  const thief = await signedIn(app, email)
  assert.equal(await isSignedIn(thief), false)
  assert.equal(await places(), before)
  assert.equal(before, 1)
  // It ends with the others all the same.
  assert.equal((await thief.ask('/login/factor')).status, 200)
  await visitor.submit('/logout/others')
  assert.equal((await thief.ask('/login/factor')).headers['location'], '/login')
})

test('the owner hears of a right password without the code, and not of their own sign-ins', async () => {
  const other = await serveDemo()
  const { visitor, email } = await verified(other)
  await confirmed(visitor)
  const secret = await secretFor(visitor)
  await visitor.submit(`${page}/enable`, { code: totpCode(secret) })
  const own = await signedIn(other, email)
  await own.submit('/login/factor/totp', { code: totpCode(secret, Date.now() / 1000 + 30) })
  assert.equal(await isSignedIn(own), true)
  const thief = other.visitor({ agent: 'Mozilla/5.0 (Windows NT 10.0) Firefox/140.0' })
  await thief.submit('/login', { email, password })
  const { text } = await visitor.ask('/account/activity')
  assert.match(text, /Asked for the second step with a password[\s\S]*Firefox on Windows/)
  // Those that still wait for their code are told of before the server closes.
  await other.close()
  const mails = await other.mails.all({ to: email, subject: 'Someone tried to sign in' })
  assert.deepEqual(
    mails.map((mail) => mail.text?.includes(thief.address)),
    [true],
  )
})

test('new recovery codes make the earlier ones void', async () => {
  const { visitor, email, codes } = await enabled()
  const renewed = codesOn(await pageOf(visitor, `${page}/codes`))
  assert.equal(renewed.length, 10)
  assert.equal(
    renewed.some((code) => codes.includes(code)),
    false,
  )
  await app.mails.sent({ to: email, subject: 'Your account has new recovery codes' })
  const guest = app.visitor()
  await guest.submit('/login', { email, password })
  assert.equal(
    (await guest.submit('/login/factor/totp', { code: codes[2] ?? '' })).to,
    '/login/factor',
  )
  assert.equal(
    (await guest.submit('/login/factor/totp', { code: renewed[2] ?? '' })).to,
    '/account',
  )
})

test('turning it off ends the codes and signs out other browsers', async () => {
  const { visitor, email, codes } = await enabled()
  const other = app.visitor()
  await other.submit('/login', { email, password })
  await other.submit('/login/factor/totp', { code: codes[0] ?? '' })
  const { to, message } = await visitor.submit(`${page}/disable`)
  assert.deepEqual(
    [to, message],
    [page, 'Codes are no longer asked for. Other devices were signed out.'],
  )
  assert.equal(await isSignedIn(other), false)
  assert.equal((await app.visitor().submit('/login', { email, password })).to, '/account')
  await app.mails.sent({ to: email, subject: 'A second step was removed from your sign-in' })
})

test('a code confirms who you are, instead of the password', async () => {
  const { email, next, codes } = await enabled()
  const visitor = app.visitor()
  await visitor.submit('/login', { email, password })
  await visitor.submit('/login/factor/totp', { code: codes[0] ?? '' })
  await visitor.ask(page)
  assert.equal((await visitor.submit('/confirm/totp', { code: next() })).to, page)
})

test('the password alone confirms nothing once codes are asked for; a recovery code does', async () => {
  const { email, codes } = await enabled()
  // A copied session, or a remembered device, of somebody who also knows the password.
  const thief = app.visitor()
  await thief.submit('/login', { email, password })
  await thief.submit('/login/factor/totp', { code: codes[0] ?? '' })
  const asked = await thief.open(page)
  assert.equal(asked.to, '/confirm')
  assert.doesNotMatch(asked.page, /confirm\/password/)
  assert.match(asked.page, /confirm\/totp[\s\S]*recovery codes/)
  const { to, page: again } = await thief.submit('/confirm/password', { password })
  assert.equal(to, '/confirm')
  assert.match(again, /Please confirm as this page asks\./)
  for (const form of [`${page}/disable`, `${page}/codes`, '/account/email', '/account/delete']) {
    assert.equal((await thief.submit(form)).to, '/confirm', form)
  }
  assert.equal((await app.visitor().submit('/login', { email, password })).to, '/login/factor')
  assert.equal((await thief.submit('/confirm/totp', { code: codes[1] ?? '' })).to, page)
  assert.match((await thief.submit(`${page}/disable`)).message ?? '', /no longer asked for/)
})

test('a JSON client gets the codes as JSON', async () => {
  const { visitor } = await verified(app)
  await confirmed(visitor)
  const secret = await secretFor(visitor)
  const answer = await visitor.send(`${page}/enable`, { code: totpCode(secret) })
  assert.equal(answer.status, 200)
  assert.equal(Object(answer.json()).codes.length, 10)
})

test('setting up an app can be cancelled, and one that is on stays on', async () => {
  const { visitor } = await verified(app)
  await confirmed(visitor)
  const secret = await secretFor(visitor)
  const { to, message, page: shown } = await visitor.submit(`${page}/cancel`)
  assert.deepEqual([to, message], [page, 'Cancelled. Nothing was changed.'])
  assert.match(shown, /Set up an app/)
  const late = await visitor.submit(`${page}/enable`, { code: totpCode(secret) })
  assert.match(late.page, /Set up an app/)
  const { visitor: owner } = await enabled()
  await secretFor(owner)
  assert.match((await owner.submit(`${page}/cancel`)).page, /10 recovery codes are left/)
})

test('the code has the focus, and one button is called Confirm', async () => {
  const { email, codes } = await enabled()
  const visitor = app.visitor()
  await visitor.submit('/login', { email, password })
  assert.match((await visitor.ask('/login/factor')).text, /<input [^>]*name="code"[^>]* autofocus/)
  await visitor.submit('/login/factor/totp', { code: codes[0] ?? '' })
  await visitor.ask(page)
  const { text } = await visitor.ask('/confirm')
  assert.deepEqual(
    [...text.matchAll(/>(Confirm[^<]*)<\/button>/g)].map(([, name]) => name),
    ['Confirm'],
  )
  await visitor.submit('/confirm/totp', { code: '000000' })
  assert.match((await visitor.ask('/account/activity')).text, /Wrong code refused/)
})

test('keeping somebody signed in says that it also skips the code', async () => {
  const forms = ['/login', '/login/mail']
  for (const form of forms) {
    assert.match((await app.visitor().ask(form)).text, /id="remember-hint">[^<]* code/, form)
  }
})
