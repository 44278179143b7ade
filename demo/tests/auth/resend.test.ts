import assert from 'node:assert/strict'
import { after, test } from 'node:test'
import { linkIn } from 'framework/testing'
import { serveDemo } from '../serve-demo.ts'
import { demoAccount } from '../../demo-account.ts'
import { registered } from './people.ts'

const app = await serveDemo()
after(() => app.close())

test('the link is sent again, and the former one no longer works', async () => {
  const { visitor, email } = await registered(app)
  const former = linkIn(await app.mails.sent({ to: email, subject: 'Verify your e-mail' }))
  const { status, to, message } = await visitor.submit('/verify')
  assert.deepEqual([status, to], [303, '/account'])
  assert.equal(message, 'Verification link sent. Check your inbox.')
  const link = linkIn(await app.mails.sent({ to: email, subject: 'Verify your e-mail' }, 2))
  assert.notEqual(link, former)
  const old = await visitor.open(former)
  assert.equal(old.message, 'This verification link is invalid or has expired.')
  const fresh = await visitor.open(link)
  assert.equal(fresh.message, 'E-mail verified!')
})

test('a verified account gets no further link', async () => {
  const visitor = app.visitor()
  await visitor.submit('/login', demoAccount)
  const { status, to, message } = await visitor.submit('/verify')
  assert.deepEqual([status, to], [303, '/account'])
  assert.equal(message, 'Your e-mail is already verified.')
})

test('a guest is sent to sign in', async () => {
  const { status, to } = await app.visitor().submit('/verify')
  assert.deepEqual([status, to], [303, '/login'])
})

test('a JSON client gets JSON', async () => {
  const { visitor } = await registered(app)
  const sent = await visitor.send('/verify')
  assert.equal(sent.status, 200)
  assert.deepEqual(sent.json(), { redirect: '/account' })
  const guest = await app.visitor().send('/verify')
  assert.equal(guest.status, 401)
  assert.deepEqual(guest.json(), { error: 'Unauthorized' })
  const verified = app.visitor()
  await verified.submit('/login', demoAccount)
  const refused = await verified.send('/verify')
  assert.equal(refused.status, 403)
  assert.deepEqual(refused.json(), { error: 'Your e-mail is already verified.' })
})
