import assert from 'node:assert/strict'
import { after, test } from 'node:test'
import { serveDemo } from '../serve-demo.ts'
import { isSignedIn, signedIn, verified } from './people.ts'

const app = await serveDemo()
after(() => app.close())

test('signing out ends the session and forgets the device', async () => {
  const { email } = await verified(app)
  const visitor = await signedIn(app, email, { remember: '1' })
  const kept = new Map(visitor.cookies)
  const { status, to, message } = await visitor.submit('/logout')
  assert.deepEqual([status, to, message], [303, '/login', 'Signed out.'])
  assert.equal(visitor.cookies.has('remember'), false)
  assert.equal(await isSignedIn(visitor), false)
  for (const [name, value] of kept) {
    const copy = app.visitor()
    copy.cookies.set(name, value)
    assert.equal(await isSignedIn(copy), false, name)
  }
})

test('other browsers of the account stay signed in', async () => {
  const { visitor, email } = await verified(app)
  const other = await signedIn(app, email)
  await visitor.submit('/logout')
  assert.equal(await isSignedIn(other), true)
})

test('a guest is sent to sign in, without a message', async () => {
  const { status, to, message } = await app.visitor().submit('/logout')
  assert.deepEqual([status, to, message], [303, '/login', null])
})

test('a JSON client gets the redirect as JSON', async () => {
  const { visitor } = await verified(app)
  const answer = await visitor.send('/logout')
  assert.equal(answer.status, 200)
  assert.deepEqual(answer.json(), { redirect: '/login' })
  assert.deepEqual((await visitor.send('/logout')).json(), { redirect: '/login' })
})
