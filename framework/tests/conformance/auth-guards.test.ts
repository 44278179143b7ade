import assert from 'node:assert/strict'
import { test } from 'node:test'
import { sql } from '../../src/database/sql/plan/statement.ts'
import { Authentication } from '../../src/accounts/guards/authentication.ts'
import { SessionGuard } from '../../src/accounts/guards/session-guard.ts'
import { Response } from '../../src/http/response/response.ts'
import { AuthSite } from './auth-site.ts'
import { linesOf, navigation } from './auth-visitor.ts'

test('a session with an identity passes and sets no cookie', async (t) => {
  const site = await AuthSite.open(t)
  const ada = await site.signedIn()
  const answer = await ada.ask('/account')
  assert.deepEqual([answer.status, answer.json(), answer.cookies], [200, { id: '1' }, []])
})

test('the session guard runs first: with a session the device token is not used up', async (t) => {
  const site = await AuthSite.open(t)
  const ada = await site.signedIn({ remember: '1' })
  const before = ada.cookies.get('remember')
  for (let round = 0; round < 3; round += 1) assert.equal(await ada.is(), '1')
  assert.equal(ada.cookies.get('remember'), before)
  assert.deepEqual(site.told, ['Login'])
})

test('a guest is redirected with 303 to the sign-in page, and intended is the requested URI', async (t) => {
  const site = await AuthSite.open(t)
  const guest = site.visitor()
  const answer = await guest.ask('/account/orders?page=2&q=%C3%A9', { headers: navigation })
  assert.deepEqual([answer.status, answer.headers['location']], [303, '/login'])
  assert.equal(answer.headers['www-authenticate'], undefined)
  assert.equal(await guest.sees('intended'), '/account/orders?page=2&q=%C3%A9')
})

test('no cache stores guarded pages, unless the handler says otherwise', async (t) => {
  const site = await AuthSite.open(t)
  site.server.router.get(
    '/picture',
    (_request, response) => response.header('Cache-Control', 'private, max-age=60').text('picture'),
    { middlewares: [new Authentication(new SessionGuard())] },
  )
  const ada = await site.signedIn()
  assert.equal((await ada.ask('/account')).headers['cache-control'], 'no-store')
  assert.equal((await ada.ask('/picture')).headers['cache-control'], 'private, max-age=60')
})

test('a redirect of the fallback is returned untouched, whatever its status', async (t) => {
  const site = await AuthSite.open(t, {
    fallback: (_request, response) =>
      response.header('X-Kept', 'yes').redirect('/sign-in', { status: 307 }),
  })
  const answer = await site.visitor().ask('/account')
  assert.deepEqual(
    [answer.status, answer.headers['location'], answer.headers['x-kept']],
    [307, '/sign-in', 'yes'],
  )
})

test('any other result of the fallback becomes 401 Unauthorized', async (t) => {
  const outcomes: readonly (readonly [unknown, string])[] = [
    ['Please sign in.', 'Please sign in.'],
    [{ please: 'sign in' }, '{"please":"sign in"}'],
    [new Response().status(200).html('<p>Sign in</p>'), '<p>Sign in</p>'],
    [new Response().status(403).text('no'), 'no'],
    [new Response().status(302).text('nowhere'), 'nowhere'],
    [new Response().status(303).header('Location', '').text('empty'), 'empty'],
    [new Response().status(303).header('Location', '  ').text('blank'), 'blank'],
  ]
  for (const [outcome, body] of outcomes) {
    const site = await AuthSite.open(t, { fallback: () => outcome })
    const answer = await site.visitor().ask('/account')
    assert.deepEqual([answer.status, answer.text], [401, body])
    assert.equal(answer.headers['www-authenticate'], 'Cookie realm="Protected area"')
    assert.deepEqual(answer.cookies, [])
  }
})

test('a fallback that returns nothing, and no fallback at all, is the 401 page', async (t) => {
  for (const fallback of [null, () => {}, async () => {}] as const) {
    const site = await AuthSite.open(t, { fallback })
    const answer = await site.visitor().ask('/account')
    assert.equal(answer.status, 401)
    assert.match(answer.text, /<h1>401<\/h1><p>Unauthorized<\/p>/)
    assert.equal(answer.headers['cache-control'], 'no-store')
    assert.deepEqual(answer.cookies, [])
  }
})

test('a fallback that throws is an error like any other, and nobody passes', async (t) => {
  const site = await AuthSite.open(t, {
    fallback: () => {
      throw new Error('planted')
    },
  })
  const answer = await site.visitor().ask('/account')
  assert.equal(answer.status, 500)
  assert.doesNotMatch(answer.text, /"id"/)
})

test('a JSON guest gets 401 {"error":"Unauthorized"} and no intended', async (t) => {
  const site = await AuthSite.open(t, { remember: { realm: 'The "back" room' } })
  const guest = site.visitor()
  const answer = await guest.ask('/account', { headers: { accept: 'application/json' } })
  assert.deepEqual([answer.status, answer.json()], [401, { error: 'Unauthorized' }])
  assert.equal(answer.headers['www-authenticate'], String.raw`Cookie realm="The \"back\" room"`)
  assert.match(answer.headers['vary'] ?? '', /Accept/)
  assert.deepEqual([answer.cookies, await guest.sees('intended')], [[], null])
  const problem = await guest.ask('/account', { headers: { accept: 'application/problem+json' } })
  assert.equal(problem.headers['content-type'], 'application/problem+json')
  assert.deepEqual([problem.status, Object(problem.json()).title], [401, 'Unauthorized'])
})

for (const method of ['HEAD', 'POST', 'PUT', 'DELETE']) {
  test(`a guest with ${method} is redirected, and no intended is stored`, async (t) => {
    const site = await AuthSite.open(t)
    const guest = site.visitor()
    const answer = await guest.ask('/account', { method })
    assert.deepEqual([answer.status, answer.headers['location']], [303, '/login'])
    assert.deepEqual([answer.cookies, await guest.sees('intended')], [[], null])
  })
}

const scripted: readonly Readonly<Record<string, string>>[] = [
  { 'sec-purpose': 'prefetch' },
  { 'sec-purpose': 'prefetch;prerender' },
  { purpose: 'prefetch' },
  { 'sec-fetch-mode': 'cors' },
  { 'sec-fetch-mode': 'cors', 'sec-fetch-dest': 'empty' },
  { 'sec-fetch-mode': 'no-cors', 'sec-fetch-dest': 'image' },
  { 'sec-fetch-dest': 'iframe' },
]
for (const headers of scripted) {
  test(`a request that nobody will see stores no intended: ${JSON.stringify(headers)}`, async (t) => {
    const site = await AuthSite.open(t)
    const guest = site.visitor()
    const answer = await guest.ask('/account', { headers: { ...navigation, ...headers } })
    assert.deepEqual([answer.status, answer.cookies], [303, []])
  })
}

const attacks = [
  '//evil.example/account',
  '/account/\\evil',
  '/account/%5cevil',
  '/account/%0d%0aSet-Cookie:%20a=b',
  '/account/a\tb',
  '/account/\u00e9',
  '/account/%',
  `/account/?${'x'.repeat(2048)}`,
]
for (const url of attacks) {
  test(`intended never leads to another site: ${url.slice(0, 40)}`, async (t) => {
    const site = await AuthSite.open(t)
    const guest = site.visitor()
    await guest.ask(url)
    assert.equal(await guest.sees('intended'), null)
  })
}

test('after sign-in the guest is redirected to intended, once', async (t) => {
  const site = await AuthSite.open(t)
  const ada = site.visitor()
  await ada.ask('/account/orders?page=2')
  assert.equal((await ada.logsIn()).headers['location'], '/account/orders?page=2')
  assert.equal((await ada.logsIn()).headers['location'], '/account')
})

test('a deleted account is signed out, and its session emptied', async (t) => {
  const site = await AuthSite.open(t, { load: true })
  const ada = await site.signedIn({ remember: '1' })
  const answer = await ada.ask('/account')
  assert.deepEqual(answer.json(), { id: '1', email: 'ada@example.com', verified: false })
  const old = ada.copy('session')
  await site.database.run(sql`DELETE FROM users WHERE id = 1`)
  const gone = await ada.ask('/account')
  assert.deepEqual([gone.status, gone.headers['location']], [303, '/login'])
  assert.match(linesOf(gone, 'remember').join(), /^remember=; Max-Age=0; /)
  assert.deepEqual(await site.trust.list('1'), [])
  assert.equal(await ada.sees('identity'), null)
  assert.equal(await old.sees('identity'), null)
})

test('nobody is signed out while accounts cannot be read', async (t) => {
  const site = await AuthSite.open(t, { load: true })
  const ada = await site.signedIn()
  await site.database.run(sql`ALTER TABLE users RENAME TO away`)
  const answer = await ada.ask('/account')
  assert.deepEqual([answer.status, answer.cookies], [500, []])
  await site.database.run(sql`ALTER TABLE away RENAME TO users`)
  assert.equal(await ada.is(), '1')
})
