import assert from 'node:assert/strict'
import { after, test } from 'node:test'
import type { Visitor } from 'framework/testing'
import { serveDemo } from '../serve-demo.ts'
import { isSignedIn, signedIn, verified } from './people.ts'
import { revokePathsOn } from './read-page.ts'

const app = await serveDemo()
after(() => app.close())

/** A signed-in visitor, another browser of the account, and the path there that revokes the visitor's session. */
async function listedSession(): Promise<{ visitor: Visitor; other: Visitor; path: string }> {
  const { visitor, email } = await verified(app)
  const other = await signedIn(app, email)
  const [path = ''] = revokePathsOn((await other.ask('/account')).text, 'sessions')
  return { visitor, other, path }
}

test('a revoked session ends at once', async () => {
  const { visitor, other, path } = await listedSession()
  const { status, to, message } = await other.submit(path)
  assert.deepEqual([status, to, message], [303, '/account', 'Session ended.'])
  assert.equal(await isSignedIn(visitor), false)
  assert.equal(await isSignedIn(other), true)
})

test('revoking the session in use signs this browser out', async () => {
  const { visitor, other, path } = await listedSession()
  const { status, to } = await visitor.submit(path)
  assert.deepEqual([status, to], [303, '/account'])
  assert.equal(await isSignedIn(visitor), false)
  assert.equal(await isSignedIn(other), true)
})

test('a foreign, ended or unknown session is a 404', async () => {
  const { visitor, other, path } = await listedSession()
  const { visitor: stranger } = await verified(app)
  assert.equal((await stranger.submit(path)).status, 404)
  assert.equal(await isSignedIn(visitor), true)
  assert.equal((await other.submit('/sessions/nonsense/revoke')).status, 404)
  assert.equal((await other.submit(path)).status, 303)
  assert.equal((await other.submit(path)).status, 404)
})

test('a guest is sent to sign in', async () => {
  const { visitor, path } = await listedSession()
  const { status, to } = await app.visitor().submit(path)
  assert.deepEqual([status, to], [303, '/login'])
  assert.equal(await isSignedIn(visitor), true)
})

test('a JSON client gets JSON', async () => {
  const { visitor, other, path } = await listedSession()
  const answer = await other.send(path)
  assert.equal(answer.status, 200)
  assert.deepEqual(answer.json(), { redirect: '/account' })
  assert.equal(await isSignedIn(visitor), false)
})
