import assert from 'node:assert/strict'
import { after, test } from 'node:test'
import { linkIn, Visitor } from 'framework/testing'
import { serveDemo } from '../serve-demo.ts'
import { confirmed, isSignedIn, password, registered, signedIn } from './people.ts'

const app = await serveDemo()
after(() => app.close())

const used = 'This verification link is invalid or has expired.'

async function linkOf(email: string, site = app): Promise<string> {
  return linkIn(await site.mails.sent({ to: email, subject: 'Verify your e-mail' }))
}

test('the link verifies the e-mail and redirects its owner to the account', async () => {
  const { visitor, email } = await registered(app)
  const outcome = await visitor.open(await linkOf(email))
  assert.deepEqual(
    [outcome.status, outcome.to, outcome.message],
    [303, '/account', 'E-mail verified!'],
  )
  assert.match(outcome.page, /Verified/)
  assert.doesNotMatch(outcome.page, /Not verified/)
})

test('the link works in another browser too, and redirects to sign-in', async () => {
  const { visitor, email } = await registered(app)
  const other = app.visitor()
  const outcome = await other.open(await linkOf(email))
  assert.deepEqual(
    [outcome.status, outcome.to, outcome.message],
    [303, '/login', 'E-mail verified!'],
  )
  assert.doesNotMatch((await visitor.ask('/account')).text, /Not verified/)
})

test('the link works once', async () => {
  const { email } = await registered(app)
  const link = await linkOf(email)
  const visitor = app.visitor()
  await visitor.ask(link)
  const { status, to, message } = await visitor.open(link)
  assert.deepEqual([status, to, message], [303, '/login', used])
})

test('the owner who opens the link again gets the same message', async () => {
  const { visitor, email } = await registered(app)
  const link = await linkOf(email)
  await visitor.ask(link)
  const { to, message } = await visitor.open(link)
  assert.deepEqual([to, message], ['/account', 'E-mail verified!'])
})

test('so does the owner after signing in again, in any browser', async () => {
  const { visitor, email } = await registered(app)
  const link = await linkOf(email)
  await visitor.ask(link)
  await visitor.submit('/logout')
  await visitor.submit('/login', { email, password })
  const other = await signedIn(app, email)
  for (const browser of [visitor, other]) {
    const { to, message } = await browser.open(link)
    assert.deepEqual([to, message], ['/account', 'E-mail verified!'])
  }
})

test('any other link is refused, even for a verified account', async () => {
  const { visitor, email } = await registered(app)
  const superseded = await linkOf(email)
  await visitor.submit('/verify')
  const link = linkIn(await app.mails.sent({ to: email, subject: 'Verify your e-mail' }, 2))
  await visitor.ask(link)
  const { visitor: stranger, email: theirs } = await registered(app)
  const foreign = await linkOf(theirs)
  await stranger.ask(foreign)
  const forged = link.replace(/.$/, (sign) => (sign === '0' ? '1' : '0'))
  const garbage = `/verify/0123456789abcdef/${'0'.repeat(64)}`
  for (const url of [garbage, '/verify/x/nonsense', forged, foreign, superseded]) {
    const { status, to, message } = await visitor.open(url)
    assert.deepEqual([status, to, message], [303, '/account', used], url)
  }
  assert.equal((await visitor.open(link)).message, 'E-mail verified!')
})

test('a tampered link is refused, and the real one still works', async () => {
  const { visitor, email } = await registered(app)
  const link = await linkOf(email)
  const forged = link.replace(/.$/, (sign) => (sign === '0' ? '1' : '0'))
  for (const url of [forged, '/verify/0123456789abcdef/nonsense']) {
    const { status, to, message } = await visitor.open(url)
    assert.deepEqual([status, to, message], [303, '/account', used])
  }
  const { message } = await visitor.open(link)
  assert.equal(message, 'E-mail verified!')
})

test('a link expires after a day', async (t) => {
  const { email } = await registered(app)
  const link = await linkOf(email)
  t.after(app.travel(86_400))
  const visitor = app.visitor()
  const { to, message } = await visitor.open(link)
  assert.deepEqual([to, message], ['/login', used])
})

for (const [program, request] of [
  ['requests only the headers', { method: 'HEAD' }],
  ['prefetches it', { headers: { 'sec-purpose': 'prefetch' } }],
  ['prerenders it', { headers: { 'sec-purpose': 'prefetch;prerender' } }],
  ['makes a preview', { headers: { purpose: 'preview' } }],
] as const) {
  test(`a program that ${program} does not use up the link`, async () => {
    const { visitor, email } = await registered(app)
    const link = await linkOf(email)
    const { status, text } = await visitor.ask(link, request)
    assert.deepEqual([status, text], [204, ''])
    assert.match((await visitor.ask('/account')).text, /Not verified/)
    const { message } = await visitor.open(link)
    assert.equal(message, 'E-mail verified!')
  })
}

test('a JSON client gets JSON', async () => {
  const { visitor, email } = await registered(app)
  const headers = { accept: 'application/json' }
  const wrong = await visitor.ask('/verify/0123456789abcdef/nonsense', { headers })
  assert.equal(wrong.status, 403)
  assert.deepEqual(wrong.json(), { error: used })
  const right = await visitor.ask(await linkOf(email), { headers })
  assert.equal(right.status, 200)
  assert.deepEqual(right.json(), { redirect: '/account' })
})

test('with AUTH_VERIFY=confirm a link asks a browser that is not signed in for a click', async (t) => {
  const asking = await serveDemo({ env: { AUTH_VERIFY: 'confirm' } })
  t.after(() => asking.close())
  const { visitor, email } = await registered(asking)
  const link = await linkOf(email, asking)
  // A scanner that opens links.
  const scanner = new Visitor(asking, { tokenPage: '/login' })
  const page = await scanner.ask(link)
  assert.equal(page.status, 200)
  assert.match(page.text, /<button class="button wide">Verify my e-mail<\/button>/)
  assert.ok(page.text.includes(email) && !page.text.includes(link))
  assert.deepEqual(
    [page.headers['referrer-policy'], page.headers['cache-control']],
    ['same-origin', 'no-store'],
  )
  assert.equal((await scanner.ask(link, { method: 'POST' })).status, 403, 'without the token')
  assert.match((await visitor.ask('/account')).text, /Not verified/)
  // Its owner, in a browser that is not signed in.
  const owner = new Visitor(asking, { tokenPage: '/login' })
  const { status, to, message } = await owner.submit(link)
  assert.deepEqual([status, to, message], [303, '/login', 'E-mail verified!'])
  assert.doesNotMatch((await visitor.ask('/account')).text, /Not verified/)
  const again = await owner.open(link)
  assert.deepEqual([again.to, again.message], ['/login', used])
})

test('with AUTH_VERIFY=confirm a link verifies at once in a browser that is signed in', async (t) => {
  const asking = await serveDemo({ env: { AUTH_VERIFY: 'confirm' } })
  t.after(() => asking.close())
  const { visitor, email } = await registered(asking)
  const { to, message } = await visitor.open(await linkOf(email, asking))
  assert.deepEqual([to, message], ['/account', 'E-mail verified!'])
})

test('without it there is nothing to click: the link takes no form', async () => {
  const { visitor, email } = await registered(app)
  const link = await linkOf(email)
  assert.equal((await visitor.submit(link)).status, 405)
})

/** What outlives a password, in a project that has the part. */
const lasting: readonly string[] = ['/account/two-factor', '/account/passkeys', '/account/tokens']
const mailbox = '/account/mailbox'

/** A signed-in visitor whose link something else has opened. */
async function scanned() {
  const { visitor, email } = await registered(app)
  const link = await linkOf(email)
  await app.visitor().open(link)
  await confirmed(visitor)
  return { visitor, email, link }
}

/** Asks for a code, and returns it. */
async function codeFor(visitor: Visitor, email: string, nth = 1): Promise<string> {
  await visitor.submit(mailbox)
  const mail = await app.mails.sent({ to: email, subject: 'Your confirmation code' }, nth)
  return /\n {4}([0-9]{6})\n/.exec(mail.text ?? '')?.[1] ?? ''
}

test('a link that something else has opened verifies, and what lasts then needs a code from the mailbox', async () => {
  const { visitor, email } = await scanned()
  assert.match((await visitor.ask('/account')).text, /Verified/)
  for (const page of lasting) {
    assert.equal((await visitor.ask(page)).headers['location'], mailbox, page)
    assert.equal((await visitor.submit(page)).to, mailbox, page)
    const refused = await visitor.send(page)
    assert.equal(refused.status, 403, page)
  }
  const [page = '/account'] = lasting
  await visitor.ask(page)
  const asked = await visitor.submit(mailbox)
  assert.deepEqual([asked.to, asked.message], [mailbox, 'We sent a code to your address.'])
  const mail = await app.mails.sent({ to: email, subject: 'Your confirmation code' })
  const code = /\n {4}([0-9]{6})\n/.exec(mail.text ?? '')?.[1] ?? ''
  const wrong = String((Number(code) + 1) % 1_000_000).padStart(6, '0')
  const refused = await visitor.submit(`${mailbox}/code`, { code: wrong })
  assert.deepEqual(
    [refused.to, refused.errors],
    [mailbox, { code: 'This code is wrong or no longer valid.' }],
  )
  // Not even in another session of the same account.
  const other = await signedIn(app, email)
  await other.submit(`${mailbox}/code`, { code })
  assert.equal((await other.ask(page)).headers['location'], mailbox)
  assert.equal((await visitor.submit(`${mailbox}/code`, { code })).to, page)
  for (const open of lasting) assert.equal((await visitor.ask(open)).status, 200, open)
  assert.equal(await isSignedIn(other), true)
  assert.equal((await other.ask(page)).headers['location'], '/confirm', 'nobody is asked again')
  assert.equal((await visitor.ask(mailbox)).headers['location'], '/account')
})

test('a link that its owner opens in the browser that is signed in needs no code, also after a scanner', async () => {
  const { visitor, email } = await registered(app)
  await visitor.open(await linkOf(email))
  const { visitor: second, link } = await scanned()
  await second.open(link)
  for (const one of [visitor, second]) {
    await confirmed(one)
    for (const page of lasting) assert.equal((await one.ask(page)).status, 200, page)
  }
})

test('the link of one account proves nothing in a browser that is signed in to another', async () => {
  const { visitor, email } = await registered(app)
  const { visitor: stranger } = await registered(app)
  const { message } = await stranger.open(await linkOf(email))
  assert.equal(message, 'E-mail verified!')
  for (const page of lasting) {
    assert.equal((await visitor.ask(page)).headers['location'], mailbox, page)
  }
})

test('three wrong codes void the mail, and an address gets few of them', async () => {
  const { visitor, email } = await scanned()
  const code = await codeFor(visitor, email)
  const wrong = String((Number(code) + 1) % 1_000_000).padStart(6, '0')
  for (let tries = 0; tries < 3; tries += 1) {
    await visitor.submit(`${mailbox}/code`, { code: wrong })
  }
  assert.equal((await visitor.submit(`${mailbox}/code`, { code })).to, mailbox)
  for (const page of lasting) {
    assert.equal((await visitor.ask(page)).headers['location'], mailbox, page)
  }
  const statuses: number[] = []
  for (let mails = 0; mails < 5; mails += 1) {
    const other = await signedIn(app, email)
    statuses.push((await other.submit(mailbox)).status)
  }
  assert.equal(statuses.at(-1), 429)
})

test('the mailbox takes the account from whoever had registered it, although a scanner has verified it', async () => {
  const { visitor: stranger, email } = await scanned()
  const owner = app.visitor()
  await owner.submit('/forgot', { email })
  const link = linkIn(await app.mails.sent({ to: email, subject: 'Reset your password' }))
  const fresh = 'seven green bottles'
  await owner.submit(link, { password: fresh, password_confirmation: fresh })
  assert.equal(await isSignedIn(stranger), false)
  await owner.submit('/login', { email, password: fresh })
  await owner.submit('/confirm/password', { password: fresh })
  for (const page of lasting) assert.equal((await owner.ask(page)).status, 200, page)
})
