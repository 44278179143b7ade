import assert from 'node:assert/strict'
import { after, test } from 'node:test'
import { serveDemo } from '../serve-demo.ts'
import { confirmed, password, signedIn, verified } from './people.ts'

const app = await serveDemo()
after(() => app.close())

test('a page that needs it asks for the password first, and comes back', async () => {
  const { visitor } = await verified(app)
  const asked = await visitor.follow(await visitor.ask('/logout/others'))
  assert.deepEqual([asked.status, asked.to], [303, '/confirm'])
  assert.match(asked.page, /action="\/confirm\/password"/)
  const wrong = await visitor.submit('/confirm/password', { password: 'not this one' })
  assert.deepEqual(
    [wrong.to, wrong.errors],
    ['/confirm', { password: 'This password is not correct.' }],
  )
  assert.equal((await visitor.ask('/logout/others')).status, 303)
  const right = await visitor.submit('/confirm/password', { password })
  assert.deepEqual([right.status, right.to], [303, '/logout/others'])
  assert.match(right.page, /action="\/logout\/others"/)
})

test('another browser of the account has to confirm for itself', async () => {
  const { visitor, email } = await verified(app)
  await confirmed(visitor)
  const other = await signedIn(app, email)
  assert.equal((await other.ask('/logout/others')).headers['location'], '/confirm')
  assert.equal((await visitor.ask('/logout/others')).status, 200)
})

test('a copy of the session from before does not become a confirmed one', async () => {
  const { visitor } = await verified(app)
  const thief = app.visitor()
  for (const [name, value] of visitor.cookies) thief.cookies.set(name, value)
  await confirmed(visitor)
  assert.equal((await thief.ask('/logout/others')).headers['location'], '/login')
})

test('a method that the account does not have confirms nothing', async () => {
  const { visitor } = await verified(app)
  assert.equal((await visitor.submit('/confirm/totp', { code: '123456' })).to, '/confirm')
  assert.equal((await visitor.ask('/logout/others')).headers['location'], '/confirm')
})

test('a guest is sent to sign in', async () => {
  const guest = app.visitor()
  assert.equal((await guest.ask('/confirm')).headers['location'], '/login')
  assert.equal((await guest.submit('/confirm/password', { password })).to, '/login')
})

test('the second step of a sign-in is for those who began one', async () => {
  const guest = app.visitor()
  assert.equal((await guest.ask('/login/factor')).headers['location'], '/login')
  const { to, message } = await guest.submit('/login/factor/totp', { code: '123456' })
  assert.deepEqual([to, message], ['/login', 'That took too long. Please sign in again.'])
})
