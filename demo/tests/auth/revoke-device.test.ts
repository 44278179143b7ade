import assert from 'node:assert/strict'
import { after, test } from 'node:test'
import { serveDemo } from '../serve-demo.ts'
import { isSignedIn, signedIn, verified } from './people.ts'
import { revokePathsOn } from './read-page.ts'

const app = await serveDemo()
after(() => app.close())

test('a revoked device is signed out and stays signed out', async () => {
  const { visitor, email } = await verified(app)
  const device = await signedIn(app, email, { remember: '1' })
  const [path = ''] = revokePathsOn((await visitor.ask('/account')).text, 'devices')
  const { status, to, message, page } = await visitor.submit(path)
  assert.deepEqual([status, to, message], [303, '/account', 'Device signed out.'])
  assert.deepEqual(revokePathsOn(page, 'devices'), [])
  assert.equal(await isSignedIn(device), false)
  assert.equal(await isSignedIn(visitor), true)
})

test('a session revived by the device ends with it', async () => {
  const { visitor, email } = await verified(app)
  const device = await signedIn(app, email, { remember: '1' })
  device.cookies.delete('session')
  assert.equal(await isSignedIn(device), true)
  const [path = ''] = revokePathsOn((await visitor.ask('/account')).text, 'devices')
  await visitor.submit(path)
  device.cookies.delete('remember')
  assert.equal(await isSignedIn(device), false)
})

test('revoking the device in use signs this browser out', async () => {
  const { visitor, email } = await verified(app)
  const device = await signedIn(app, email, { remember: '1' })
  const [path = ''] = revokePathsOn((await visitor.ask('/account')).text, 'devices')
  const { status, to } = await device.submit(path)
  assert.deepEqual([status, to], [303, '/account'])
  assert.equal(device.cookies.has('remember'), false)
  assert.equal(await isSignedIn(device), false)
})

test('a foreign, revoked or unknown device is a 404', async () => {
  const { visitor, email } = await verified(app)
  const { visitor: stranger } = await verified(app)
  const device = await signedIn(app, email, { remember: '1' })
  const [path = ''] = revokePathsOn((await visitor.ask('/account')).text, 'devices')
  assert.equal((await stranger.submit(path)).status, 404)
  assert.equal((await visitor.submit('/devices/nonsense/revoke')).status, 404)
  assert.equal(await isSignedIn(device), true)
  assert.equal((await visitor.submit(path)).status, 303)
  assert.equal((await visitor.submit(path)).status, 404)
})

test('a guest is sent to sign in', async () => {
  const { status, to } = await app.visitor().submit('/devices/nonsense/revoke')
  assert.deepEqual([status, to], [303, '/login'])
})

test('a JSON client gets JSON', async () => {
  const { visitor, email } = await verified(app)
  await signedIn(app, email, { remember: '1' })
  const [path = ''] = revokePathsOn((await visitor.ask('/account')).text, 'devices')
  const answer = await visitor.send(path)
  assert.equal(answer.status, 200)
  assert.deepEqual(answer.json(), { redirect: '/account' })
})
