import assert from 'node:assert/strict'
import { after, test } from 'node:test'
import type { Visitor } from 'framework/testing'
import { serveDemo, site } from '../serve-demo.ts'
import { isSignedIn, signedIn, verified } from './people.ts'

const app = await serveDemo()
after(() => app.close())

/** A browser with a stolen remember cookie. */
function thief(device: Visitor): Visitor {
  const copy = app.visitor()
  copy.cookies.set('remember', device.cookies.get('remember') ?? '')
  return copy
}

test('a replayed remember cookie signs out every browser of the account', async () => {
  const { visitor, email } = await verified(app)
  const device = await signedIn(app, email, { remember: '1' })
  const copy = thief(device)
  device.cookies.delete('session')
  assert.equal(await isSignedIn(device), true)
  assert.equal(await isSignedIn(copy), false)
  assert.equal(copy.cookies.has('remember'), false)
  assert.equal(await isSignedIn(visitor), false)
  assert.equal(await isSignedIn(device), false)
})

test('the owner is told by mail, with a link to reset the password', async () => {
  const { email } = await verified(app)
  const device = await signedIn(app, email, { remember: '1' })
  const copy = thief(device)
  await copy.ask('/account')
  device.cookies.delete('session')
  await device.ask('/account')
  const mail = await app.mails.sent({ to: email, subject: 'We signed out all your devices' })
  for (const body of [mail.text ?? '', mail.html ?? '']) {
    assert.ok(body.includes(`${site}/forgot`))
    assert.match(body, /used\s+a second time/)
    assert.ok(body.includes(`Safari on iPhone, ${device.address}`))
  }
})
