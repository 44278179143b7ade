import assert from 'node:assert/strict'
import { after, test } from 'node:test'
import { serveDemo } from '../serve-demo.ts'
import { password, registered, signedIn } from './people.ts'
import { revokePathsOn } from './read-page.ts'

const app = await serveDemo()
after(() => app.close())

test('an account shows its e-mail, and a resend button until it is verified', async () => {
  const { visitor, email } = await registered(app)
  const { status, text } = await visitor.ask('/account')
  assert.equal(status, 200)
  assert.ok(text.includes(email))
  assert.match(text, /Not verified/)
  assert.match(text, /action="\/verify" method="post"/)
})

test('each signed-in place is listed once, this browser first, with its own button', async () => {
  const { visitor, email } = await registered(app)
  const remembered = await signedIn(app, email, { remember: '1' })
  await signedIn(app, email)
  const { text } = await visitor.ask('/account')
  assert.equal(revokePathsOn(text, 'sessions').length, 1)
  assert.equal(revokePathsOn(text, 'devices').length, 1)
  assert.equal(text.match(/class="row-name"/g)?.length, 3)
  assert.match(text, /Firefox on Linux <span class="badge">This browser<\/span>/)
  assert.ok(text.indexOf('This browser') < text.indexOf('Safari on iPhone'))
  assert.equal(text.match(/>Remembered<\/span>/g)?.length, 1)
  assert.ok(text.includes(visitor.address))
  // The device revives its session, which is still listed as the same place.
  remembered.cookies.delete('session')
  const { text: own } = await remembered.ask('/account')
  assert.equal(own.match(/class="row-name"/g)?.length, 3)
  const name = 'Safari on iPhone <span class="badge">This browser</span>'
  assert.ok(own.includes(`${name} <span class="badge plain">Remembered</span>`))
})

test('the page contains no part of a cookie', async () => {
  const { email } = await registered(app)
  const visitor = await signedIn(app, email, { remember: '1' })
  const { text } = await visitor.ask('/account')
  for (const [name, value] of visitor.cookies) {
    for (const part of value.split('.')) assert.ok(!text.includes(part), name)
  }
})

test('an account lists only its own sessions', async () => {
  const { visitor } = await registered(app)
  await registered(app)
  assert.deepEqual(revokePathsOn((await visitor.ask('/account')).text, 'sessions'), [])
})

test('a guest is sent to sign in, and then to the requested page', async () => {
  const { email } = await registered(app)
  const visitor = app.visitor()
  const { status, headers } = await visitor.ask('/account?tab=devices')
  assert.deepEqual([status, headers['location']], [303, '/login'])
  const first = await visitor.submit('/login', { email, password })
  assert.equal(first.to, '/account?tab=devices')
  await visitor.submit('/logout')
  assert.equal((await visitor.submit('/login', { email, password })).to, '/account')
})

test('a form that a guest sent is not resumed after sign-in', async () => {
  const { email } = await registered(app)
  const visitor = app.visitor()
  await visitor.submit('/password', { current: password })
  assert.equal((await visitor.submit('/login', { email, password })).to, '/account')
})

test('a JSON client that is a guest gets a 401, and its path is not kept', async () => {
  const { email } = await registered(app)
  const visitor = app.visitor()
  const headers = { accept: 'application/json' }
  const { status, ...answer } = await visitor.ask('/account?tab=devices', { headers })
  assert.equal(status, 401)
  assert.deepEqual(answer.json(), { error: 'Unauthorized' })
  assert.equal((await visitor.submit('/login', { email, password })).to, '/account')
})

test('the home page shows who is signed in', async () => {
  const { visitor, email } = await registered(app)
  assert.ok((await visitor.ask('/')).text.includes(email))
  const { text } = await app.visitor().ask('/')
  assert.match(text, /href="\/login"/)
  assert.doesNotMatch(text, /action="\/logout"/)
})
