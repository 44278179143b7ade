import assert from 'node:assert/strict'
import { DatabaseSync } from 'node:sqlite'
import { after, test } from 'node:test'
import type { InjectedRequest } from 'framework/http'
import { tokenOn } from 'framework/testing'
import { preparedDatabase, serveDemo } from '../serve-demo.ts'
import { isSignedIn, password, registered, signedIn } from './people.ts'

const database = await preparedDatabase({ after })
const app = await serveDemo({ environment: 'production', env: { DATABASE_URL: database } })
after(() => app.close())

type Failure = readonly [status: number, path: string, request?: Omit<InjectedRequest, 'url'>]

const failures: readonly Failure[] = [
  [404, '/nowhere'],
  [500, '/error'],
  [403, '/login', { method: 'POST', body: new URLSearchParams({ _token: 'none' }) }],
  [413, '/register', { method: 'POST', body: new URLSearchParams({ a: 'x'.repeat(2 ** 21) }) }],
]

test('error pages of signed-in visitors keep the navigation, with a valid token', async () => {
  const { visitor } = await registered(app)
  const headers = { 'x-csrf-token': await visitor.token() }
  const text = { ...headers, 'content-type': 'text/plain' }
  const all: Failure[] = [
    ...failures,
    [405, '/login', { method: 'DELETE', headers }],
    [415, '/password', { method: 'POST', headers: text, body: 'words' }],
  ]
  for (const [status, path, request] of all) {
    const { status: answered, text } = await visitor.ask(path, request)
    assert.equal(answered, status, path)
    assert.match(text, new RegExp(`Error ${status}`))
    assert.match(text, /href="\/account"/, String(status))
    assert.doesNotMatch(text, /href="\/login"|undefined/, String(status))
    const body = new URLSearchParams({ _token: tokenOn(text) })
    const sent = await visitor.ask('/devices/none/revoke', { method: 'POST', body })
    assert.equal(sent.status, 404, `the token of ${status}`)
  }
})

test('the page of an address that cannot be read does not blame its query', async () => {
  const { status, text } = await app.visitor().ask('/%ff')
  assert.equal(status, 400)
  assert.match(text, /Error 400/)
  assert.doesNotMatch(text, /question mark/)
})

test('an error page that comes before any other has no button that cannot work', async () => {
  const { email } = await registered(app)
  const visitor = app.visitor()
  const body = new URLSearchParams({ _token: await visitor.token(), email, password })
  const { status } = await visitor.ask('/login', { method: 'POST', body })
  assert.equal(status, 303)
  const { text } = await visitor.ask('/nowhere')
  assert.match(text, /href="\/account"/)
  assert.doesNotMatch(text, /action="\/logout"|name="_token"/)
  assert.equal(await isSignedIn(visitor), true)
  assert.match((await visitor.ask('/nowhere')).text, /action="\/logout"/)
})

test('error pages of guests link to sign-in and set no cookies', async () => {
  const guest = app.visitor()
  for (const [status, path, request] of failures) {
    const { status: answered, text, cookies } = await guest.ask(path, request)
    assert.equal(answered, status, path)
    assert.match(text, /href="\/login"/, String(status))
    assert.doesNotMatch(text, /href="\/account"|undefined/, String(status))
    assert.deepEqual(cookies, [], String(status))
  }
})

test('a rate limit page has the navigation although no session was loaded', async () => {
  const { visitor } = await registered(app)
  let answer = await visitor.ask('/login', { method: 'POST' })
  for (let tries = 1; tries < 6; tries += 1)
    answer = await visitor.ask('/login', { method: 'POST' })
  assert.equal(answer.status, 429)
  assert.match(answer.text, /href="\/account"/)
  assert.doesNotMatch(answer.text, /action="\/logout"|undefined/)
})

test('an error page does not use up a device token', async () => {
  const { email } = await registered(app)
  const visitor = await signedIn(app, email, { remember: '1' })
  visitor.cookies.delete('session')
  assert.deepEqual((await visitor.ask('/nowhere')).cookies, [])
  assert.equal(await isSignedIn(visitor), true)
})

test('if the session store fails, the error page only lacks its navigation', async () => {
  const { visitor } = await registered(app)
  const file = new DatabaseSync(database.replace('sqlite:', ''))
  file.exec('DROP TABLE sessions')
  file.close()
  const { status, text } = await visitor.ask('/nowhere')
  assert.equal(status, 404)
  assert.match(text, /Error 404/)
  assert.doesNotMatch(text, /href="\/account"|undefined/)
})
