import assert from 'node:assert/strict'
import { test } from 'node:test'
import { sql } from '../../src/database/sql/plan/statement.ts'
import { AuthSite } from './auth-site.ts'
import { linesOf, navigation } from './auth-visitor.ts'

const grace = { remember: { grace: 5 } }
const page = { headers: navigation }
const cleared = 'remember=; Max-Age=0; Path=/; Secure; HttpOnly; SameSite=Lax'

test('a public page revives a remembered visitor, as a guarded one does', async (t) => {
  for (const headers of [{}, navigation, { accept: 'application/json' }]) {
    const site = await AuthSite.open(t)
    const ada = (await site.signedIn({ remember: '1' })).returns()
    const used = ada.cookies.get('remember')
    const answer = await ada.ask('/', { headers })
    assert.deepEqual([answer.status, answer.json()], [200, { id: '1' }])
    assert.deepEqual(
      [linesOf(answer, 'remember').length, linesOf(answer, 'session').length],
      [1, 1],
    )
    assert.notEqual(ada.cookies.get('remember'), used)
    assert.equal(await ada.sees('identity'), '1')
    const again = await ada.ask('/', { headers })
    assert.deepEqual([again.json(), again.cookies], [{ id: '1' }, []], 'the session is enough now')
    assert.deepEqual(site.told, ['Login', 'Revived'])
  }
})

test('a form posted to a public page revives too', async (t) => {
  const site = await AuthSite.open(t)
  const ada = (await site.signedIn({ remember: '1' })).returns()
  assert.deepEqual((await ada.post('/')).json(), { id: '1' })
  assert.equal(await ada.returns().is(), '1', 'the answer had the next token')
})

test('a public page that fails still sends the next token', async (t) => {
  const site = await AuthSite.open(t)
  const ada = (await site.signedIn({ remember: '1' })).returns()
  const answer = await ada.ask('/open-fails')
  assert.deepEqual([answer.status, linesOf(answer, 'remember').length], [500, 1])
  assert.deepEqual(linesOf(answer, 'session'), [])
  assert.equal(await ada.is(), '1')
  assert.deepEqual(site.told, ['Login', 'Revived'])
})

test('a replayed token on a public page is theft too, and the page is shown as to a guest', async (t) => {
  const site = await AuthSite.open(t)
  const [ada, phone] = [await site.signedIn({ remember: '1' }), await site.signedIn()]
  const thief = ada.copy('remember')
  assert.deepEqual((await thief.ask('/')).json(), { id: '1' })
  const answer = await ada.returns().ask('/', page)
  assert.deepEqual([answer.status, answer.json()], [200, null])
  assert.deepEqual(linesOf(answer, 'remember'), [cleared])
  assert.deepEqual([await site.trust.list('1'), await site.sessions.list('1')], [[], []])
  assert.deepEqual(await Promise.all([ada, phone, thief].map((one) => one.is())), [
    null,
    null,
    null,
  ])
  assert.equal(site.told.at(-1), 'Theft')
})

test('a theft on a page that fails still clears the cookie', async (t) => {
  const site = await AuthSite.open(t)
  const ada = await site.signedIn({ remember: '1' })
  await ada.copy('remember').ask('/')
  const answer = await ada.returns().ask('/open-fails')
  assert.deepEqual([answer.status, linesOf(answer, 'remember')], [500, [cleared]])
})

test('of tabs that open together one is revived, the others are guests and get no cookie', async (t) => {
  const site = await AuthSite.open(t, grace)
  const ada = (await site.signedIn({ remember: '1' })).returns()
  const answers = await Promise.all(Array.from({ length: 6 }, () => ada.send('/', page)))
  const [winner, ...others] = answers.filter(({ cookies }) => cookies.length > 0)
  assert.ok(winner !== undefined && others.length === 0)
  assert.equal(answers.filter((answer) => answer.json() === null).length, 5)
  ada.keep(winner)
  assert.equal(await ada.is(), '1')
  assert.deepEqual(site.told, ['Login', 'Revived'])
})

test('a tab that lost the race tries the device once, however often the page asks', async (t) => {
  const site = await AuthSite.open(t)
  const ada = (await site.signedIn({ remember: '1' })).returns()
  const late = ada.copy()
  // Both requests have read the token before either rotates it.
  const requests = [ada, late].map((visitor) => visitor.send('/'))
  const answers = await Promise.all(requests)
  assert.equal(answers.filter((answer) => answer.json() !== null).length, 1)
  assert.deepEqual(site.told, ['Login', 'Revived'], 'to ask again would have been a theft')
})

test('a prefetched page is shown as to a guest, and uses up no token', async (t) => {
  const site = await AuthSite.open(t)
  const ada = (await site.signedIn({ remember: '1' })).returns()
  for (const purpose of ['prefetch', 'prefetch;prerender']) {
    const answer = await ada.ask('/', { headers: { ...navigation, 'sec-purpose': purpose } })
    assert.deepEqual([answer.status, answer.json(), answer.cookies], [200, null, []])
  }
  assert.deepEqual((await ada.ask('/', page)).json(), { id: '1' })
  assert.deepEqual(site.told, ['Login', 'Revived'])
})

test('if the database fails the visitor stays a guest and keeps the cookie', async (t) => {
  const site = await AuthSite.open(t)
  const ada = (await site.signedIn({ remember: '1' })).returns()
  await site.database.run(sql`ALTER TABLE trusts RENAME TO away`)
  const answer = await ada.ask('/')
  assert.deepEqual([answer.status, answer.json(), answer.cookies], [200, null, []])
  await site.database.run(sql`ALTER TABLE away RENAME TO trusts`)
  assert.deepEqual((await ada.ask('/')).json(), { id: '1' })
})

test('signing out on a public page makes the visitor a guest for the rest of the request', async (t) => {
  const site = await AuthSite.open(t)
  site.server.router.post('/out', async (request, response) => {
    const was = await site.remember.authenticate(request, response)
    await site.signIn.leave(request, response)
    const is = await site.remember.authenticate(request, response)
    return response.json({ was, is, identity: request.identity })
  })
  const ada = (await site.signedIn({ remember: '1' })).returns()
  const answer = await ada.post('/out')
  assert.deepEqual(answer.json(), { was: true, is: false, identity: null })
  assert.deepEqual(linesOf(answer, 'remember'), [cleared])
  assert.deepEqual(await site.trust.list('1'), [])
})
