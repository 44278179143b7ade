import assert from 'node:assert/strict'
import crypto from 'node:crypto'
import { syncBuiltinESMExports } from 'node:module'
import { test } from 'node:test'
import type { TestContext } from 'node:test'
import { isSignedIn, newEmail, password, registered } from '../../../demo/tests/auth/people.ts'
import { emptyDatabase, serveDemo } from '../support/demo-tests.ts'
import { Throwables } from '../../src/errors/throwables/throwables.ts'
import { connect } from '../../src/database/connect.ts'
import { sql } from '../../src/database/sql/plan/statement.ts'
import type { InjectedResponse } from '../../src/http/server/inject.ts'
import { freePort } from '../support/free-port.ts'
import { waitFor } from '../support/wait-for.ts'

/** Collects what is reported while a test runs. */
function reports(t: TestContext): Error[] {
  const reported: Error[] = []
  const reporter = (error: Error): void => void reported.push(error)
  Throwables.reporters.push(reporter)
  t.after(() => void Throwables.reporters.splice(Throwables.reporters.indexOf(reporter), 1))
  return reported
}

test('a mail server that is down changes no response, and is reported once per mail', async (t) => {
  const MAIL_PORT = String(await freePort())
  const app = await serveDemo({
    env: { MAIL_HOST: '127.0.0.1', MAIL_PORT, MAIL_SECURE: 'none' },
  })
  t.after(() => app.close())
  const reported = reports(t)
  const { visitor, email } = await registered(app)
  assert.equal(await isSignedIn(visitor), true)
  const known = await app.visitor().submit('/forgot', { email })
  const unknown = await app.visitor().submit('/forgot', { email: newEmail() })
  assert.deepEqual([known.status, known.to], [303, '/forgot'])
  assert.deepEqual(
    [unknown.status, unknown.to, unknown.message],
    [known.status, known.to, known.message],
  )
  // Other tests of this process may still report something else.
  const messages = (): string[] =>
    reported.map(({ message }) => message).filter((message) => message.includes(`:${MAIL_PORT} `))
  // Of the welcome, the reset link, and the dry run for the address without an account.
  await waitFor('three reports', () => messages().length >= 3)
  assert.equal(
    (await visitor.submit('/verify')).message,
    'Verification link sent. Check your inbox.',
  )
  await waitFor('four reports', () => messages().length >= 4)
  await app.close()
  const message = `mail server 127.0.0.1:${MAIL_PORT} could not be reached: ECONNREFUSED`
  assert.deepEqual(messages(), [message, message, message, message])
  for (const one of reported) assert.doesNotMatch(one.message, /[0-9a-f]{64}/)
})

test('sign-ins beyond the hashing capacity get 503, and those in progress finish', async (t) => {
  const app = await serveDemo({ environment: 'development' })
  t.after(() => app.close())
  const { email } = await registered(app)
  const visitors = Array.from({ length: 12 }, () => app.visitor())
  const bodies = await Promise.all(
    visitors.map(async (visitor) => {
      const _token = await visitor.token()
      return new URLSearchParams({ _token, email, password })
    }),
  )
  const { argon2 } = crypto
  const held: (() => void)[] = []
  const hashing = t.mock.method(crypto, 'argon2', (...given: Parameters<typeof argon2>) => {
    held.push(() => argon2(...given))
  })
  syncBuiltinESMExports()
  const refused: InjectedResponse[] = []
  const answers = visitors.map(async (visitor, index) => {
    const answer = await visitor.ask('/login', { method: 'POST', body: bodies[index] ?? '' })
    if (answer.status === 503) refused.push(answer)
    return answer.status
  })
  await waitFor('refusals', () => refused.length > 0 && refused.length === 12 - held.length)
  for (const { headers, text } of refused) {
    assert.ok(Number(headers['retry-after']) > 0)
    assert.match(text, /<h1>/)
  }
  hashing.mock.restore()
  syncBuiltinESMExports()
  for (const release of held) release()
  const statuses = await Promise.all(answers)
  assert.ok(held.length > 0)
  assert.equal(statuses.filter((status) => status === 303).length, held.length)
})

for (const [table, url, status] of [
  ['users', '/login', 503],
  ['users', '/register', 503],
  ['sessions', '/register', 503],
  ['rate_limits', '/login', 500],
] as const) {
  test(`without the table ${table} POST ${url} signs nobody in`, async (t) => {
    const DATABASE_URL = emptyDatabase(t)
    const app = await serveDemo({ env: { DATABASE_URL } })
    t.after(() => app.close())
    const reported = reports(t)
    const visitor = app.visitor()
    const fields = { email: newEmail(), password, password_confirmation: password }
    const body = new URLSearchParams({ _token: await visitor.token(), ...fields })
    const database = await connect(DATABASE_URL)
    await database.run(sql`DROP TABLE ${sql.name(table)}`)
    await database.close()
    const answer = await visitor.ask(url, { method: 'POST', body })
    assert.equal(answer.status, status)
    assert.equal(answer.headers['retry-after'], status === 503 ? '5' : undefined)
    assert.ok(reported.length > 0)
    assert.ok(reported.every(({ message }) => !message.includes(password)))
    assert.notEqual((await visitor.ask('/account')).status, 200)
  })
}
