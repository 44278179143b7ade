import assert from 'node:assert/strict'
import { after, test } from 'node:test'
import { linkIn } from 'framework/testing'
import type { Visitor } from 'framework/testing'
import { totpCode } from 'framework/testing'
import { serveDemo, site } from '../serve-demo.ts'
import { confirmed } from './people.ts'
import { isSignedIn, newEmail, password, registered, signedIn, verified } from './people.ts'

const app = await serveDemo()
after(() => app.close())

const sent = 'If that e-mail has an account, we sent a code to it.'
const subject = 'Your sign-in code'
const wrongCode = 'This code is wrong or no longer valid. You can ask for a new one.'

/** A browser that has asked for a mail, and what came with the nth one. */
async function asked(
  email: string,
  { nth = 1, visitor = app.visitor(), fields = {} } = {},
): Promise<{ visitor: Visitor; code: string; link: string }> {
  const { to, message } = await visitor.submit('/login/mail', { email, ...fields })
  assert.deepEqual([to, message], ['/login/mail/code', sent])
  const mail = await app.mails.sent({ to: email, subject }, nth)
  return { visitor, code: /^ {4}(\d{6})$/m.exec(mail.text ?? '')?.[1] ?? '', link: linkIn(mail) }
}

test('the sign-in page leads to the form, and signed-in visitors to their account', async () => {
  const guest = app.visitor()
  assert.match((await guest.ask('/login')).text, /href="\/login\/mail">[\s\S]*?Sign in by mail/)
  assert.equal((await guest.ask('/login/mail')).status, 200)
  assert.equal((await guest.ask('/login/mail/code')).headers['location'], '/login/mail')
  const { visitor } = await registered(app)
  for (const path of ['/login/mail', '/login/mail/code']) {
    assert.equal((await visitor.ask(path)).headers['location'], '/account')
  }
})

test('the mail has a code and a link, and says who asked', async () => {
  const { email } = await verified(app)
  const visitor = app.visitor()
  const { page } = await visitor.submit('/login/mail', { email: ` ${email.toUpperCase()} ` })
  assert.match(page, /<h1>Check your inbox<\/h1>/)
  assert.match(page, /data-wait="\d+">Send again/)
  const mail = await app.mails.sent({ to: email, subject })
  assert.doesNotMatch(mail.header('subject') ?? '', /\d/)
  for (const body of [mail.text ?? '', mail.html ?? '']) {
    assert.match(body, /\b\d{6}\b/)
    assert.match(body, new RegExp(`${site}/login/mail/[0-9a-f]{16}/[0-9a-f]{64}`))
    assert.match(body, /work once, for (?:<strong>)?10 minutes/)
    assert.ok(body.includes(`Firefox on Linux, ${visitor.address}`))
  }
})

test('the code signs in, which the activity shows', async () => {
  const { visitor, code } = await asked((await verified(app)).email)
  const { to, message } = await visitor.submit('/login/mail/code', { code })
  assert.deepEqual([to, message], ['/account', 'Welcome back!'])
  assert.match((await visitor.ask('/account/activity')).text, /Signed in by mail/)
  assert.equal(visitor.cookies.has('remember'), false)
})

test('the link asks for a click, in the browser that asked', async () => {
  const { visitor, link } = await asked((await verified(app)).email)
  const page = await visitor.ask(link)
  assert.equal(page.status, 200)
  assert.equal(page.headers['cache-control'], 'no-store')
  assert.match(page.text, /<form class="form" method="post">/)
  assert.equal(await isSignedIn(visitor), false)
  const { to, message } = await visitor.submit(link)
  assert.deepEqual([to, message], ['/account', 'Welcome back!'])
  assert.equal((await visitor.ask(link)).headers['location'], '/account')
})

test('elsewhere the link says where to go, and a click there changes nothing', async () => {
  const { visitor, link, code } = await asked((await verified(app)).email)
  const other = app.visitor()
  const { status, text } = await other.ask(link)
  assert.equal(status, 200)
  assert.match(text, /<h1>Go back to your browser<\/h1>/)
  assert.doesNotMatch(text, /<form class="form"/)
  const pressed = await other.submit(link)
  assert.deepEqual(
    [pressed.to, pressed.message],
    ['/login/mail', 'Please ask for a code in this browser first.'],
  )
  const typed = await other.submit('/login/mail/code', { code })
  assert.equal(typed.to, '/login/mail')
  assert.equal(await isSignedIn(other), false)
  assert.equal((await visitor.submit('/login/mail/code', { code })).to, '/account')
})

test('what scanners do with a link leaves link and code alive', async () => {
  const { email } = await verified(app)
  const { visitor, link, code } = await asked(email)
  const purposes = [{}, { 'sec-purpose': 'prefetch;prerender' }, { purpose: 'prefetch' }]
  for (const scanner of [app.visitor(), visitor]) {
    for (const headers of purposes) {
      await scanner.ask(link, { headers })
      await scanner.ask(link, { method: 'HEAD', headers })
    }
  }
  assert.equal((await visitor.submit('/login/mail/code', { code })).to, '/account')
  const again = await asked(email, { nth: 2 })
  await app.visitor().ask(again.link)
  assert.equal((await again.visitor.submit(again.link)).to, '/account')
})

test('three wrong codes end the mail, with the same answer as for an unknown address', async () => {
  const { visitor, code, link } = await asked((await verified(app)).email)
  const stranger = app.visitor()
  await stranger.submit('/login/mail', { email: newEmail() })
  const wrong = String((Number(code) + 1) % 1_000_000).padStart(6, '0')
  for (let tries = 0; tries < 4; tries += 1) {
    for (const one of [visitor, stranger]) {
      const { to, message } = await one.submit('/login/mail/code', { code: wrong })
      assert.deepEqual([to, message], ['/login/mail/code', wrongCode])
    }
  }
  assert.equal((await visitor.submit('/login/mail/code', { code })).message, wrongCode)
  assert.equal((await visitor.submit(link)).message, wrongCode)
})

test('an unknown address gets no mail', async () => {
  const email = newEmail()
  const { message, page } = await app.visitor().submit('/login/mail', { email })
  assert.equal(message, sent)
  assert.ok(page.includes(`name="email" value="${email}"`))
  assert.deepEqual(await app.mails.all({ to: email }), [])
})

test('the second factor is still asked for', async () => {
  const { visitor: owner, email } = await verified(app)
  const { page } = await (await confirmed(owner)).submit('/account/two-factor')
  const secret = /<code class="secret">([A-Z2-7 ]+)</.exec(page)?.[1] ?? ''
  await owner.submit('/account/two-factor/enable', { code: totpCode(secret) })
  const { visitor, code } = await asked(email)
  assert.equal((await visitor.submit('/login/mail/code', { code })).to, '/login/factor')
  assert.equal(await isSignedIn(visitor), false)
  const next = totpCode(secret, Date.now() / 1000 + 30)
  assert.equal((await visitor.submit('/login/factor/totp', { code: next })).to, '/account')
})

test('a browser is remembered if its visitor wants that, also after another mail', async () => {
  const { email } = await verified(app)
  const { visitor } = await asked(email, { fields: { remember: '1' } })
  const { text } = await visitor.ask('/login/mail/code')
  assert.match(text, /name="remember" value="1"/)
  const { code } = await asked(email, { visitor, nth: 2, fields: { remember: '1' } })
  await visitor.submit('/login/mail/code', { code })
  assert.equal(visitor.cookies.has('remember'), true)
})

test('who signs in by mail to an address that was not verified gets an account without its old password', async () => {
  const { visitor: stranger, email } = await registered(app)
  const { visitor, code } = await asked(email)
  const { to, message } = await visitor.submit('/login/mail/code', { code })
  assert.deepEqual([to, message], ['/account', 'Welcome! Your e-mail is verified.'])
  assert.equal(await isSignedIn(stranger), false)
  assert.equal(await isSignedIn(await signedIn(app, email)), false)
  const mail = await app.mails.sent({ to: email, subject: 'Please choose a new password' })
  const twice = { password, password_confirmation: password }
  assert.equal((await visitor.submit(linkIn(mail), twice)).to, '/login')
  assert.equal(await isSignedIn(await signedIn(app, email)), true)
})

test('so does who signs in by mail to an address that only a scanner has verified', async () => {
  const { visitor: stranger, email } = await registered(app)
  const link = linkIn(await app.mails.sent({ to: email, subject: 'Verify your e-mail' }))
  await app.visitor().open(link)
  const { visitor, code } = await asked(email)
  assert.equal((await visitor.submit('/login/mail/code', { code })).to, '/account')
  assert.equal(await isSignedIn(stranger), false)
  assert.equal(await isSignedIn(await signedIn(app, email)), false)
  await app.mails.sent({ to: email, subject: 'Please choose a new password' })
})

test('a mailbox gets five mails an hour from one network', async () => {
  const email = newEmail()
  const statuses: number[] = []
  for (let mails = 0; mails < 6; mails += 1) {
    const visitor = app.visitor({ agent: 'Firefox', address: `10.9.9.${mails}` })
    statuses.push((await visitor.submit('/login/mail', { email })).status)
  }
  assert.deepEqual(statuses, [303, 303, 303, 303, 303, 429])
})

test('an invalid address is sent back, and JSON clients get JSON', async () => {
  const { to, errors } = await app.visitor().submit('/login/mail', { email: 'ada' })
  assert.deepEqual([to, errors], ['/login/mail', { email: 'This is not an e-mail address.' }])
  const visitor = app.visitor()
  const good = await visitor.send('/login/mail', { email: newEmail() })
  assert.deepEqual([good.status, good.json()], [200, { redirect: '/login/mail/code' }])
  const refused = await visitor.send('/login/mail/code', { code: '123456' })
  assert.deepEqual([refused.status, refused.json()], [401, { error: wrongCode }])
})
