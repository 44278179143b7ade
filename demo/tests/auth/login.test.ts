import assert from 'node:assert/strict'
import { after, test } from 'node:test'
import { valueOn } from 'framework/testing'
import { serveDemo } from '../serve-demo.ts'
import { demoAccount } from '../../demo-account.ts'
import { isSignedIn, newEmail, password, signedIn, verified } from './people.ts'

const app = await serveDemo()
after(() => app.close())

test('GET /login shows the form to guests and redirects others to their account', async () => {
  assert.equal((await app.visitor().ask('/login')).status, 200)
  const { visitor } = await verified(app)
  const { status, headers } = await visitor.ask('/login')
  assert.deepEqual([status, headers['location']], [303, '/account'])
})

test('the right password signs in, in a session with a new id', async () => {
  const { email } = await verified(app)
  const visitor = app.visitor()
  await visitor.ask('/login')
  const before = visitor.cookies.get('session')
  const { status, to, message } = await visitor.submit('/login', { email, password })
  assert.deepEqual([status, to, message], [303, '/account', 'Welcome back!'])
  assert.notEqual(visitor.cookies.get('session'), before)
  assert.equal(visitor.cookies.has('remember'), false)
})

test('the seeded account can sign in', async () => {
  const visitor = app.visitor()
  const { to, page } = await visitor.submit('/login', demoAccount)
  assert.equal(to, '/account')
  assert.match(page, /Verified/)
})

test('a wrong password and an unknown e-mail get the same answer', async () => {
  const { email } = await verified(app)
  for (const fields of [
    { email, password: 'quiet copper lamb' },
    { email: newEmail(), password },
    { email, password: '' },
    { email: '', password },
    {},
  ]) {
    const visitor = app.visitor()
    const { status, to, message, errors } = await visitor.submit('/login', fields)
    assert.deepEqual([status, to, message], [303, '/login', 'Invalid credentials.'])
    assert.deepEqual(errors, {})
    assert.equal(await isSignedIn(visitor), false)
  }
})

test('a failed form keeps its input, but not the password', async () => {
  const fields = { email: 'ada@example.com', password: 'a secret of mine', remember: '1' }
  const { page } = await app.visitor().submit('/login', fields)
  assert.equal(valueOn(page, 'email'), 'ada@example.com')
  assert.match(page, /name="remember" value="1" checked/)
  assert.doesNotMatch(page, /a secret of mine/)
})

test('a remembered browser signs in again without a password', async () => {
  const { email } = await verified(app)
  const visitor = await signedIn(app, email, { remember: '1' })
  const former = visitor.cookies.get('remember')
  assert.ok(former)
  visitor.cookies.delete('session')
  assert.equal(await isSignedIn(visitor), true)
  assert.notEqual(visitor.cookies.get('remember'), former)
})

test('a wrong password does not sign out a signed-in visitor', async () => {
  const { visitor, email } = await verified(app)
  await visitor.submit('/login', { email, password: 'quiet copper lamb' })
  assert.equal(await isSignedIn(visitor), true)
})

test('a JSON client signs in with JSON and gets JSON', async () => {
  const { email } = await verified(app)
  const visitor = app.visitor()
  const wrong = await visitor.send('/login', { email, password: 'quiet copper lamb' })
  assert.equal(wrong.status, 401)
  assert.deepEqual(wrong.json(), { error: 'Invalid credentials.' })
  const right = await visitor.send('/login', { email, password, remember: true })
  assert.equal(right.status, 200)
  assert.deepEqual(right.json(), { redirect: '/account' })
  assert.equal(visitor.cookies.has('remember'), true)
  assert.equal(await isSignedIn(visitor), true)
})

test("a JSON client's failure leaves no message for the next page", async () => {
  const visitor = app.visitor()
  await visitor.send('/login', { email: 'ada@example.com', password })
  const { text } = await visitor.ask('/login')
  assert.doesNotMatch(text, /Invalid credentials|ada@example\.com/)
})
