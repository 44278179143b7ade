import assert from 'node:assert/strict'
import { after, test } from 'node:test'
import { linkIn, valueOn } from 'framework/testing'
import { serveDemo, site } from '../serve-demo.ts'
import { isSignedIn, password, signedIn, verified } from './people.ts'

const app = await serveDemo()
after(() => app.close())

const fresh = 'seven green bottles'
const change = { current: password, password: fresh, password_confirmation: fresh }

test('guests are sent to sign in, and then back to the form', async () => {
  const { email } = await verified(app)
  const visitor = app.visitor()
  const { status, headers } = await visitor.ask('/password')
  assert.deepEqual([status, headers['location']], [303, '/login'])
  assert.equal((await visitor.submit('/login', { email, password })).to, '/password')
})

test('password managers find the form', async () => {
  const { visitor } = await verified(app)
  const { status, headers } = await visitor.ask('/.well-known/change-password')
  assert.deepEqual([status, headers['location']], [303, '/password'])
})

test('the new password replaces the old one', async () => {
  const { visitor, email } = await verified(app)
  assert.equal((await visitor.ask('/password')).status, 200)
  const { status, to, message } = await visitor.submit('/password', change)
  assert.deepEqual([status, to], [303, '/account'])
  assert.equal(message, 'Password changed. Other devices were signed out.')
  const other = app.visitor()
  assert.equal((await other.submit('/login', { email, password })).to, '/login')
  assert.equal((await other.submit('/login', { email, password: fresh })).to, '/account')
})

test('this browser stays signed in with a new session id, every other one is signed out at once', async () => {
  const { visitor, email } = await verified(app)
  const second = await signedIn(app, email)
  const remembered = await signedIn(app, email, { remember: '1' })
  const before = visitor.cookies.get('session')
  await visitor.submit('/password', change)
  assert.equal(await isSignedIn(visitor), true)
  assert.notEqual(visitor.cookies.get('session'), before)
  assert.equal(await isSignedIn(second), false)
  assert.equal(await isSignedIn(remembered), false)
  remembered.cookies.delete('session')
  assert.equal(await isSignedIn(remembered), false)
})

test('reset links sent before the change no longer work', async () => {
  const { visitor, email } = await verified(app)
  await app.visitor().submit('/forgot', { email })
  const link = linkIn(await app.mails.sent({ to: email, subject: 'Reset your password' }))
  await visitor.submit('/password', change)
  assert.equal((await app.visitor().ask(link)).headers['location'], '/forgot')
})

test('the owner is told by mail, with a link to reset the password', async () => {
  const { visitor, email } = await verified(app)
  await visitor.submit('/password', change)
  const mail = await app.mails.sent({ to: email, subject: 'Your password was changed' })
  for (const body of [mail.text ?? '', mail.html ?? '']) {
    assert.ok(body.includes(`${site}/forgot`))
    assert.match(body, /other devices were signed out/)
    assert.ok(body.includes(`Firefox on Linux, ${visitor.address}`))
    assert.doesNotMatch(body, /seven green bottles/)
  }
})

test('a form with errors is shown again and changes nothing', async () => {
  const { visitor, email } = await verified(app)
  const other = await signedIn(app, email)
  for (const [fields, errors] of [
    [{ ...change, current: 'quiet copper lamb' }, { current: 'Current password is incorrect.' }],
    [
      {},
      { current: 'Please enter your current password.', password: 'Use at least 8 characters.' },
    ],
    [
      { ...change, password: email, password_confirmation: email },
      { password: 'Your e-mail address cannot be your password.' },
    ],
    [{ ...change, password_confirmation: 'other' }, { password: 'The passwords do not match.' }],
  ] as const) {
    const outcome = await visitor.submit('/password', fields)
    assert.deepEqual([outcome.status, outcome.to], [303, '/password'])
    assert.deepEqual(outcome.errors, errors)
    for (const name of ['current', 'password', 'password_confirmation']) {
      assert.equal(valueOn(outcome.page, name), null, name)
    }
  }
  assert.equal(await isSignedIn(other), true)
  assert.equal((await app.visitor().submit('/login', { email, password })).to, '/account')
})

test('a wrong current password is the only error shown, whatever the new one is', async () => {
  const { visitor } = await verified(app)
  for (const fresh of ['short', 'quiet copper lamb', 'password1']) {
    const { errors } = await visitor.submit('/password', {
      current: 'quiet copper lamb',
      password: fresh,
      password_confirmation: 'other',
    })
    assert.deepEqual(errors, { current: 'Current password is incorrect.' })
  }
})

test('the new password must differ from the current one', async () => {
  const { visitor } = await verified(app)
  const { to, errors } = await visitor.submit('/password', {
    current: password,
    password,
    password_confirmation: password,
  })
  assert.equal(to, '/password')
  assert.deepEqual(errors, { password: 'This is your current password. Choose another one.' })
})

test('a JSON client gets JSON', async () => {
  const { visitor } = await verified(app)
  const wrong = await visitor.send('/password', { ...change, current: 'wrong' })
  assert.equal(wrong.status, 422)
  assert.deepEqual(wrong.json(), { errors: { current: ['Current password is incorrect.'] } })
  const right = await visitor.send('/password', change)
  assert.equal(right.status, 200)
  assert.deepEqual(right.json(), { redirect: '/account' })
  const guest = await app.visitor().send('/password', change)
  assert.equal(guest.status, 401)
  assert.deepEqual(guest.json(), { error: 'Unauthorized' })
})
