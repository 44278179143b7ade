import assert from 'node:assert/strict'
import { after, before, test } from 'node:test'
import type { ProjectServer } from 'framework/testing'
import { serveDemo, site } from '../serve-demo.ts'
import { linkIn, mailTo } from './mails.ts'
import { password, registered, signedIn } from './people.ts'
import { valueOn } from 'framework/testing'
import { Visitor } from './visitor.ts'

let app: ProjectServer
before(async () => {
  app = await serveDemo()
})
after(() => app.close())

const expired = 'This reset link is invalid or has expired.'
const fresh = 'seven green bottles'
const twice = { password: fresh, password_confirmation: fresh }

/** Requests a reset link and reads it from the mail. */
async function linkOf(email: string): Promise<string> {
  await new Visitor(app).submit('/forgot', { email })
  return linkIn(await mailTo(app, email, 'Reset your password'))
}

test('the link shows the form however often it is opened', async () => {
  const { email } = await registered(app)
  const link = await linkOf(email)
  const visitor = new Visitor(app)
  for (const method of ['HEAD', 'GET', 'GET']) {
    assert.equal((await visitor.ask(link, { method })).status, 200)
  }
  const { text } = await visitor.ask(link)
  assert.match(text, /Choose a new password/)
  assert.ok(!text.includes(link.split('/')[3] ?? 'no verifier'), 'the secret is on the page')
})

test('the new password signs in; the link itself does not', async () => {
  const { email } = await registered(app)
  const visitor = new Visitor(app)
  const link = await linkOf(email)
  await visitor.ask(link)
  const before = visitor.cookies.get('session')
  const { status, to, message } = await visitor.submit(link, twice)
  assert.deepEqual([status, to], [303, '/login'])
  assert.equal(message, 'Password reset! Sign in with your new password.')
  assert.notEqual(visitor.cookies.get('session'), before)
  assert.equal(await visitor.isSignedIn(), false)
  assert.equal((await visitor.submit('/login', { email, password })).to, '/login')
  assert.equal((await visitor.submit('/login', { email, password: fresh })).to, '/account')
})

test('every browser is signed out, and a remembered one is forgotten', async () => {
  const { visitor, email } = await registered(app)
  const remembered = await signedIn(app, email, { remember: '1' })
  await new Visitor(app).submit(await linkOf(email), twice)
  assert.equal(await visitor.isSignedIn(), false)
  remembered.cookies.delete('session')
  assert.equal(await remembered.isSignedIn(), false)
})

test('the owner is told by mail, and the link verifies the e-mail', async () => {
  const { email } = await registered(app)
  await new Visitor(app).submit(await linkOf(email), twice)
  const mail = await mailTo(app, email, 'Your password was changed')
  assert.ok(mail.text?.includes(`${site}/forgot`))
  const visitor = await signedIn(app, email, { password: fresh })
  assert.doesNotMatch((await visitor.ask('/account')).text, /Not verified/)
})

test('a form with errors is shown again and does not use up the link', async () => {
  const { email } = await registered(app)
  const visitor = new Visitor(app)
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
  const { email } = await registered(app)
  const former = await linkOf(email)
  await new Visitor(app).submit('/forgot', { email })
  const link = linkIn(await mailTo(app, email, 'Reset your password', 2))
  const forged = link.replace(/.$/, (sign) => (sign === '0' ? '1' : '0'))
  const visitor = new Visitor(app)
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
  // Before the link is made, so that both use the mocked clock.
  t.mock.timers.enable({ apis: ['Date'], now: Date.now() })
  const { email } = await registered(app)
  const link = await linkOf(email)
  t.mock.timers.tick(3599_000)
  assert.equal((await new Visitor(app).ask(link)).status, 200)
  t.mock.timers.tick(1_000)
  const visitor = new Visitor(app)
  assert.equal((await visitor.follow(await visitor.ask(link))).message, expired)
  assert.equal((await visitor.submit(link, twice)).message, expired)
})

test('of two concurrent uses of a link, only one sets the password', async () => {
  const { email } = await registered(app)
  const link = await linkOf(email)
  const choices = ['first of two choices', 'second of two choices']
  const outcomes = await Promise.all(
    choices.map((choice) =>
      new Visitor(app).submit(link, { password: choice, password_confirmation: choice }),
    ),
  )
  assert.deepEqual(outcomes.map(({ to = '' }) => to).toSorted(), ['/forgot', '/login'])
  for (const [at, choice] of choices.entries()) {
    const won = outcomes[at]?.to === '/login'
    const { to } = await new Visitor(app).submit('/login', { email, password: choice })
    assert.equal(to, won ? '/account' : '/login', choice)
  }
})

test('a JSON client gets JSON', async () => {
  const { email } = await registered(app)
  const link = await linkOf(email)
  const visitor = new Visitor(app)
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
