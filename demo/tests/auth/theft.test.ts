import assert from 'node:assert/strict'
import { after, before, test } from 'node:test'
import type { ProjectServer } from 'framework/testing'
import { serveDemo, site } from '../serve-demo.ts'
import { mailTo } from './mails.ts'
import { registered, signedIn } from './people.ts'
import { Visitor } from './visitor.ts'

let app: ProjectServer
before(async () => {
  app = await serveDemo()
})
after(() => app.close())

/** A browser with a stolen remember cookie. */
function thief(device: Visitor): Visitor {
  const copy = new Visitor(app)
  copy.cookies.set('remember', device.cookies.get('remember') ?? '')
  return copy
}

test('a replayed remember cookie signs out every browser of the account', async () => {
  const { visitor, email } = await registered(app)
  const device = await signedIn(app, email, { remember: '1' })
  const copy = thief(device)
  device.cookies.delete('session')
  assert.equal(await device.isSignedIn(), true)
  assert.equal(await copy.isSignedIn(), false)
  assert.equal(copy.cookies.has('remember'), false)
  assert.equal(await visitor.isSignedIn(), false)
  assert.equal(await device.isSignedIn(), false)
})

test('the owner is told by mail, with a link to reset the password', async () => {
  const { email } = await registered(app)
  const device = await signedIn(app, email, { remember: '1' })
  const copy = thief(device)
  await copy.ask('/account')
  device.cookies.delete('session')
  await device.ask('/account')
  const mail = await mailTo(app, email, 'We signed out all your devices')
  for (const body of [mail.text ?? '', mail.html ?? '']) {
    assert.ok(body.includes(`${site}/forgot`))
    assert.match(body, /used\s+a second time/)
    assert.ok(body.includes(`Safari on iPhone, ${device.address}`))
  }
})
