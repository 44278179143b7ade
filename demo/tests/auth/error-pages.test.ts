import assert from 'node:assert/strict'
import { DatabaseSync } from 'node:sqlite'
import { after, before, test } from 'node:test'
import type { InjectedRequest } from 'framework/http'
import type { ProjectServer } from 'framework/testing'
import { preparedDatabase, serveDemo } from '../serve-demo.ts'
import { closeDemo, registered, signedIn } from './people.ts'
import { tokenOn } from './read-page.ts'
import { Visitor } from './visitor.ts'

const database = await preparedDatabase({ after })
let app: ProjectServer
before(async () => {
  app = await serveDemo({ environment: 'production', env: { DATABASE_URL: database } })
})
after(() => closeDemo(app))

type Way = readonly [status: number, path: string, request?: Omit<InjectedRequest, 'url'>]

const ways: readonly Way[] = [
  [404, '/nowhere'],
  [500, '/error'],
  [403, '/login', { method: 'POST', body: new URLSearchParams({ _token: 'none' }) }],
  [413, '/register', { method: 'POST', body: new URLSearchParams({ a: 'x'.repeat(2 ** 21) }) }],
]

test('error pages of members keep their navigation, with a token that is good', async () => {
  const { visitor } = await registered(app)
  const headers = { 'x-csrf-token': await visitor.token() }
  const all: Way[] = [...ways, [405, '/items', { method: 'DELETE', headers }]]
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

test('those of guests have the way in, and leave nothing behind', async () => {
  const guest = new Visitor(app)
  for (const [status, path, request] of ways) {
    const { status: answered, text, cookies } = await guest.ask(path, request)
    assert.equal(answered, status, path)
    assert.match(text, /href="\/login"/, String(status))
    assert.doesNotMatch(text, /href="\/account"|undefined/, String(status))
    assert.deepEqual(cookies, [], String(status))
  }
})

test('a limit refuses before there is a session, and its page has the navigation all the same', async () => {
  const { visitor } = await registered(app)
  let answer = await visitor.ask('/login', { method: 'POST' })
  for (let tries = 1; tries < 6; tries += 1)
    answer = await visitor.ask('/login', { method: 'POST' })
  assert.equal(answer.status, 429)
  assert.match(answer.text, /href="\/account"/)
  assert.doesNotMatch(answer.text, /action="\/logout"|undefined/)
})

test('an error page uses up no token of a device', async () => {
  const { email } = await registered(app)
  const visitor = await signedIn(app, email, { remember: '1' })
  visitor.cookies.delete('session')
  assert.deepEqual((await visitor.ask('/nowhere')).cookies, [])
  assert.equal(await visitor.isSignedIn(), true)
})

test('a store of sessions that fails costs the page its navigation, and nothing else', async () => {
  const { visitor } = await registered(app)
  const file = new DatabaseSync(database.replace('sqlite:', ''))
  file.exec('DROP TABLE sessions')
  file.close()
  const { status, text } = await visitor.ask('/nowhere')
  assert.equal(status, 404)
  assert.match(text, /Error 404/)
  assert.doesNotMatch(text, /href="\/account"|undefined/)
})
