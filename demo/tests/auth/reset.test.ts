import assert from 'node:assert/strict'
import { after, test } from 'node:test'
import { linkIn, valueOn } from 'framework/testing'
import { serveDemo, site } from '../serve-demo.ts'
import { isSignedIn, password, signedIn, verified } from './people.ts'

const app = await serveDemo()
after(() => app.close())

const expired = 'This reset link is invalid or has expired.'
const fresh = 'seven green bottles'
const twice = { password: fresh, password_confirmation: fresh }

/** Requests a reset link and reads it from the mail. */
async function linkOf(email: string): Promise<string> {
  await app.visitor().submit('/forgot', { email })
  return linkIn(await app.mails.sent({ to: email, subject: 'Reset your password' }))
}

test('the link shows the form however often it is opened', async () => {
  const { email } = await verified(app)
  const link = await linkOf(email)
  const visitor = app.visitor()
  for (const method of ['HEAD', 'GET', 'GET']) {
    assert.equal((await visitor.ask(link, { method })).status, 200)
  }
  const { text } = await visitor.ask(link)
  assert.match(text, /Choose a new password/)
  assert.ok(!text.includes(link.split('/')[3] ?? 'no verifier'), 'the secret is on the page')
})

test('the new password signs in; the link itself does not', async () => {
  const { email } = await verified(app)
  const visitor = app.visitor()
  const link = await linkOf(email)
  await visitor.ask(link)
  const before = visitor.cookies.get('session')
  const { status, to, message } = await visitor.submit(link, twice)
  assert.deepEqual([status, to], [303, '/login'])
  assert.equal(message, 'Password reset! Sign in with your new password.')
  assert.notEqual(visitor.cookies.get('session'), before)
  assert.equal(await isSignedIn(visitor), false)
  assert.equal((await visitor.submit('/login', { email, password })).to, '/login')
  assert.equal((await visitor.submit('/login', { email, password: fresh })).to, '/account')
})

test('every browser is signed out, and a remembered one is forgotten', async () => {
  const { visitor, email } = await verified(app)
  const remembered = await signedIn(app, email, { remember: '1' })
  await app.visitor().submit(await linkOf(email), twice)
  assert.equal(await isSignedIn(visitor), false)
  remembered.cookies.delete('session')
  assert.equal(await isSignedIn(remembered), false)
})

test('the owner is told by mail, and the link verifies the e-mail', async () => {
  const { email } = await verified(app)
  await app.visitor().submit(await linkOf(email), twice)
  const mail = await app.mails.sent({ to: email, subject: 'Your password was changed' })
  assert.ok(mail.text?.includes(`${site}/forgot`))
  const visitor = await signedIn(app, email, { password: fresh })
  assert.doesNotMatch((await visitor.ask('/account')).text, /Not verified/)
})

test('a form with errors is shown again and does not use up the link', async () => {
  const { email } = await verified(app)
  const visitor = app.visitor()
  const link = await linkOf(email)
  for (const [typed, again, problem] of [
    ['short', 'short', 'Use at least 8 characters.'],
    [fresh, 'other', 'The passwords do not match.'],
    [email, email, 'Your e-mail address cannot be your password.'],
  ] as const) {
    const outcome = await visitor.submit(link, { password: typed, password_confirmation: again })
    assert.deepEqual([outcome.status, outcome.to], [303, link])
    assert.deepEqual(outcome.errors, { password: problem })
    assert.equal(valueOn(outcome.page, 'password'), null)
  }
  assert.equal((await visitor.submit(link, twice)).to, '/login')
})

test('a link that was used, changed or replaced is refused', async () => {
  const { email } = await verified(app)
  const former = await linkOf(email)
  await app.visitor().submit('/forgot', { email })
  const link = linkIn(await app.mails.sent({ to: email, subject: 'Reset your password' }, 2))
  const forged = link.replace(/.$/, (sign) => (sign === '0' ? '1' : '0'))
  const visitor = app.visitor()
  for (const url of [former, forged]) {
    const shown = await visitor.follow(await visitor.ask(url))
    assert.deepEqual([shown.status, shown.to, shown.message], [303, '/forgot', expired])
    const { status, to, message } = await visitor.submit(url, twice)
    assert.deepEqual([status, to, message], [303, '/forgot', expired])
  }
  assert.equal((await visitor.submit(link, twice)).to, '/login')
  assert.equal((await visitor.submit(link, twice)).message, expired)
  assert.equal((await visitor.follow(await visitor.ask(link))).message, expired)
})

test('a link expires after an hour', async (t) => {
  const { email } = await verified(app)
  const link = await linkOf(email)
  t.after(app.travel(3540))
  assert.equal((await app.visitor().ask(link)).status, 200)
  t.after(app.travel(60))
  const visitor = app.visitor()
  assert.equal((await visitor.follow(await visitor.ask(link))).message, expired)
  assert.equal((await visitor.submit(link, twice)).message, expired)
})

test('of two concurrent uses of a link, only one sets the password', async () => {
  const { email } = await verified(app)
  const link = await linkOf(email)
  const choices = ['first of two choices', 'second of two choices']
  const outcomes = await Promise.all(
    choices.map((choice) =>
      app.visitor().submit(link, { password: choice, password_confirmation: choice }),
    ),
  )
  assert.deepEqual(outcomes.map(({ to = '' }) => to).toSorted(), ['/forgot', '/login'])
  for (const [at, choice] of choices.entries()) {
    const won = outcomes[at]?.to === '/login'
    const { to } = await app.visitor().submit('/login', { email, password: choice })
    assert.equal(to, won ? '/account' : '/login', choice)
  }
})

test('a JSON client gets JSON', async () => {
  const { email } = await verified(app)
  const link = await linkOf(email)
  const visitor = app.visitor()
  const wrong = await visitor.send(link, { password: 'short' })
  assert.equal(wrong.status, 422)
  assert.deepEqual(wrong.json(), { errors: { password: ['Use at least 8 characters.'] } })
  const right = await visitor.send(link, twice)
  assert.equal(right.status, 200)
  assert.deepEqual(right.json(), { redirect: '/login' })
  const again = await visitor.send(link, twice)
  assert.equal(again.status, 403)
  assert.deepEqual(again.json(), { error: expired })
})
