import assert from 'node:assert/strict'
import { after, test } from 'node:test'
import { serveDemo } from '../serve-demo.ts'
import { confirmed, isSignedIn, signedIn, verified } from './people.ts'

const app = await serveDemo()
after(() => app.close())

test('every other session and device ends, this browser stays signed in', async () => {
  const { visitor, email } = await verified(app)
  const session = await signedIn(app, email)
  const remembered = await signedIn(app, email, { remember: '1' })
  const { visitor: stranger } = await verified(app)
  assert.match((await visitor.ask('/account')).text, /href="\/logout\/others"/)
  await confirmed(visitor)
  assert.match((await visitor.ask('/logout/others')).text, /action="\/logout\/others"/)
  const { status, to, message, page } = await visitor.submit('/logout/others')
  assert.deepEqual([status, to, message], [303, '/account', 'Signed out everywhere else.'])
  assert.equal(page.match(/class="row-name"/g)?.length, 1)
  assert.doesNotMatch(page, /href="\/logout\/others"/)
  for (const other of [session, remembered]) assert.equal(await isSignedIn(other), false)
  remembered.cookies.delete('session')
  assert.equal(await isSignedIn(remembered), false)
  assert.equal(await isSignedIn(visitor), true)
  assert.equal(await isSignedIn(stranger), true)
})

test('a remembered browser that signs out the others stays remembered', async () => {
  const { visitor, email } = await verified(app)
  const remembered = await signedIn(app, email, { remember: '1' })
  await (await confirmed(remembered)).submit('/logout/others')
  assert.equal(await isSignedIn(visitor), false)
  remembered.cookies.delete('session')
  assert.equal(await isSignedIn(remembered), true)
})

test('a browser that was just revived by its device stays signed in too', async () => {
  const { visitor, email } = await verified(app)
  const remembered = await signedIn(app, email, { remember: '1' })
  await confirmed(remembered)
  remembered.cookies.delete('session')
  assert.equal(await isSignedIn(remembered), true)
  assert.equal((await remembered.submit('/logout/others')).to, '/confirm')
  assert.equal(await isSignedIn(visitor), true)
  const token = await remembered.token()
  await confirmed(remembered)
  const refused = await remembered.ask('/logout/others', {
    method: 'POST',
    body: new URLSearchParams({ _token: token }),
  })
  assert.equal(refused.status, 403)
  assert.equal((await remembered.submit('/logout/others')).status, 303)
  assert.equal(await isSignedIn(visitor), false)
  assert.equal(await isSignedIn(remembered), true)
})

test('a guest is sent to sign in', async () => {
  const { status, to } = await app.visitor().submit('/logout/others')
  assert.deepEqual([status, to], [303, '/login'])
})

test('a JSON client gets JSON', async () => {
  const { visitor } = await verified(app)
  const refused = await visitor.send('/logout/others')
  assert.equal(refused.status, 401)
  assert.deepEqual(refused.json(), { error: 'Unauthorized' })
  const answer = await (await confirmed(visitor)).send('/logout/others')
  assert.equal(answer.status, 200)
  assert.deepEqual(answer.json(), { redirect: '/account' })
})
