import assert from 'node:assert/strict'
import { after, before, test } from 'node:test'
import type { ProjectServer } from 'framework/testing'
import { serveDemo } from '../serve-demo.ts'
import { closeDemo, registered, signedIn } from './people.ts'
import { endsOn } from './read-page.ts'
import { Visitor } from './visitor.ts'

let app: ProjectServer
before(async () => {
  app = await serveDemo()
})
after(() => closeDemo(app))

/** Somebody signed in, and where another browser of the account finds the end of that session. */
async function listed(): Promise<{ visitor: Visitor; other: Visitor; path: string }> {
  const { visitor, email } = await registered(app)
  const other = await signedIn(app, email)
  const [path = ''] = endsOn((await other.ask('/account')).text, 'sessions')
  return { visitor, other, path }
}

test('a session that is revoked is over at once', async () => {
  const { visitor, other, path } = await listed()
  const { status, to, message } = await other.submit(path)
  assert.deepEqual([status, to, message], [303, '/account', 'Session ended.'])
  assert.equal(await visitor.isSignedIn(), false)
  assert.equal(await other.isSignedIn(), true)
})

test('who revokes the session in use is signed out', async () => {
  const { visitor, other, path } = await listed()
  const { status, to } = await visitor.submit(path)
  assert.deepEqual([status, to], [303, '/account'])
  assert.equal(await visitor.isSignedIn(), false)
  assert.equal(await other.isSignedIn(), true)
})

test('the session of somebody else, one that is over, and none are all a 404', async () => {
  const { visitor, other, path } = await listed()
  const { visitor: stranger } = await registered(app)
  assert.equal((await stranger.submit(path)).status, 404)
  assert.equal(await visitor.isSignedIn(), true)
  assert.equal((await other.submit('/sessions/nonsense/revoke')).status, 404)
  assert.equal((await other.submit(path)).status, 303)
  assert.equal((await other.submit(path)).status, 404)
})

test('a guest is sent to sign in', async () => {
  const { visitor, path } = await listed()
  const { status, to } = await new Visitor(app).submit(path)
  assert.deepEqual([status, to], [303, '/login'])
  assert.equal(await visitor.isSignedIn(), true)
})

test('a script is answered with JSON', async () => {
  const { visitor, other, path } = await listed()
  const answer = await other.send(path)
  assert.equal(answer.status, 200)
  assert.deepEqual(answer.json(), { redirect: '/account' })
  assert.equal(await visitor.isSignedIn(), false)
})
