import assert from 'node:assert/strict'
import { after, before, test } from 'node:test'
import type { ProjectServer } from 'framework/testing'
import { serveDemo } from '../serve-demo.ts'
import { registered, signedIn } from './people.ts'
import { revokePathsOn } from './read-page.ts'
import { Visitor } from './visitor.ts'

let app: ProjectServer
before(async () => {
  app = await serveDemo()
})
after(() => app.close())

test('a revoked device is signed out and stays signed out', async () => {
  const { visitor, email } = await registered(app)
  const device = await signedIn(app, email, { remember: '1' })
  const [path = ''] = revokePathsOn((await visitor.ask('/account')).text, 'devices')
  const { status, to, message, page } = await visitor.submit(path)
  assert.deepEqual([status, to, message], [303, '/account', 'Device signed out.'])
  assert.deepEqual(revokePathsOn(page, 'devices'), [])
  assert.equal(await device.isSignedIn(), false)
  assert.equal(await visitor.isSignedIn(), true)
})

test('a session revived by the device ends with it', async () => {
  const { visitor, email } = await registered(app)
  const device = await signedIn(app, email, { remember: '1' })
  device.cookies.delete('session')
  assert.equal(await device.isSignedIn(), true)
  const [path = ''] = revokePathsOn((await visitor.ask('/account')).text, 'devices')
  await visitor.submit(path)
  device.cookies.delete('remember')
  assert.equal(await device.isSignedIn(), false)
})

test('revoking the device in use signs this browser out', async () => {
  const { visitor, email } = await registered(app)
  const device = await signedIn(app, email, { remember: '1' })
  const [path = ''] = revokePathsOn((await visitor.ask('/account')).text, 'devices')
  const { status, to } = await device.submit(path)
  assert.deepEqual([status, to], [303, '/account'])
  assert.equal(device.cookies.has('remember'), false)
  assert.equal(await device.isSignedIn(), false)
})

test('a foreign, revoked or unknown device is a 404', async () => {
  const { visitor, email } = await registered(app)
  const { visitor: stranger } = await registered(app)
  const device = await signedIn(app, email, { remember: '1' })
  const [path = ''] = revokePathsOn((await visitor.ask('/account')).text, 'devices')
  assert.equal((await stranger.submit(path)).status, 404)
  assert.equal((await visitor.submit('/devices/nonsense/revoke')).status, 404)
  assert.equal(await device.isSignedIn(), true)
  assert.equal((await visitor.submit(path)).status, 303)
  assert.equal((await visitor.submit(path)).status, 404)
})

test('a guest is sent to sign in', async () => {
  const { status, to } = await new Visitor(app).submit('/devices/nonsense/revoke')
  assert.deepEqual([status, to], [303, '/login'])
})

test('a JSON client gets JSON', async () => {
  const { visitor, email } = await registered(app)
  await signedIn(app, email, { remember: '1' })
  const [path = ''] = revokePathsOn((await visitor.ask('/account')).text, 'devices')
  const answer = await visitor.send(path)
  assert.equal(answer.status, 200)
  assert.deepEqual(answer.json(), { redirect: '/account' })
})
