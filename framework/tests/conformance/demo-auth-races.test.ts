import assert from 'node:assert/strict'
import { randomBytes } from 'node:crypto'
import { test } from 'node:test'
import type { TestContext } from 'node:test'
import {
  isSignedIn,
  newEmail,
  password,
  registered,
  signedIn,
} from '../../../demo/tests/auth/people.ts'
import { revokePathsOn } from '../../../demo/tests/auth/read-page.ts'
import { messageOn } from '../../src/testing/read-page.ts'
import { emptyDatabase, serveDemo } from '../support/demo-tests.ts'
import { connect } from '../../src/database/connect.ts'
import { sql } from '../../src/database/sql/plan/statement.ts'
import type { ProjectServer } from '../../src/testing/project-server.ts'
import { linkIn } from '../../src/mail/mail-testing.ts'
import type { Visitor } from '../../src/testing/visitor.ts'

/** Two workers on one database. */
async function workers(t: TestContext): Promise<readonly [ProjectServer, ProjectServer, string]> {
  const DATABASE_URL = emptyDatabase(t)
  const env = { DATABASE_URL, APP_KEY: randomBytes(32).toString('hex') }
  const first = await serveDemo({ env })
  const second = await serveDemo({ env })
  t.after(() => first.close())
  t.after(() => second.close())
  return [first, second, DATABASE_URL]
}

const fresh = 'seven green bottles'
const change = { current: password, password: fresh, password_confirmation: fresh }

/** The same visitor on another worker, with the same cookies. */
function at(app: ProjectServer, { cookies }: Visitor): Visitor {
  const moved = app.visitor()
  for (const [name, value] of cookies) moved.cookies.set(name, value)
  return moved
}

test('of concurrent registrations of one e-mail on two workers, one gets the account', async (t) => {
  const [first, second, url] = await workers(t)
  const email = newEmail()
  const form = { email, password, password_confirmation: password }
  const outcomes = await Promise.all(
    [first, second, first, second].map((app) => app.visitor().submit('/register', form)),
  )
  assert.equal(outcomes.filter(({ to }) => to === '/account').length, 1)
  for (const { to, errors } of outcomes) {
    if (to === '/account') continue
    assert.deepEqual([to, errors], ['/register', { email: 'This e-mail is already registered.' }])
  }
  const database = await connect(url)
  t.after(() => database.close())
  const rows = await database.rows(sql`SELECT id FROM users WHERE email = ${email}`)
  assert.equal(rows.length, 1)
})

test('of concurrent uses of one reset link on two workers, one sets the password', async (t) => {
  const [first, second] = await workers(t)
  const { email } = await registered(first)
  await first.visitor().submit('/forgot', { email })
  const link = linkIn(await first.mails.sent({ to: email, subject: 'Reset your password' }))
  const choices = [1, 2, 3, 4].map((number) => `choice ${number} of four`)
  const outcomes = await Promise.all(
    choices.map((choice, index) =>
      (index % 2 === 0 ? first : second).visitor().submit(link, {
        password: choice,
        password_confirmation: choice,
      }),
    ),
  )
  const winners = choices.filter((_, index) => outcomes[index]?.to === '/login')
  assert.equal(winners.length, 1)
  for (const { to, message } of outcomes) {
    if (to === '/login') continue
    assert.deepEqual([to, message], ['/forgot', 'This reset link is invalid or has expired.'])
  }
  const [winner = ''] = winners
  assert.equal(
    (await second.visitor().submit('/login', { email, password: winner })).to,
    '/account',
  )
})

test('of concurrent uses of one verification link, one verifies', async (t) => {
  const [first, second] = await workers(t)
  const { email } = await registered(first)
  const link = linkIn(await first.mails.sent({ to: email, subject: 'Verify your e-mail' }))
  const outcomes = await Promise.all(
    [first, second, first, second].map(async (app) => {
      const visitor = app.visitor()
      return visitor.open(link)
    }),
  )
  assert.equal(outcomes.filter(({ message }) => message === 'E-mail verified!').length, 1)
})

test('a password change on one worker signs out on the other at once', async (t) => {
  const [first, second] = await workers(t)
  const { visitor, email } = await registered(first)
  const other = await signedIn(second, email, { remember: '1' })
  assert.equal(await isSignedIn(other), true)
  await visitor.submit('/password', change)
  assert.equal(await isSignedIn(other), false)
  assert.equal(await isSignedIn(at(second, visitor)), true)
})

test('of two concurrent password changes, one browser stays signed in', async (t) => {
  const [first, second] = await workers(t)
  const { visitor, email } = await registered(first)
  const other = await signedIn(second, email)
  const choices = ['first of two choices', 'second of two choices']
  const visitors = [visitor, other]
  const outcomes = await Promise.all(
    visitors.map((one, index) => {
      const choice = choices[index] ?? ''
      return one.submit('/password', { ...change, password: choice, password_confirmation: choice })
    }),
  )
  const signed = [await isSignedIn(visitor), await isSignedIn(other)]
  assert.equal(signed.filter(Boolean).length, 1, JSON.stringify(outcomes.map(({ to }) => to)))
  const works = await Promise.all(
    choices.map(async (choice) => {
      const { to } = await first.visitor().submit('/login', { email, password: choice })
      return to === '/account'
    }),
  )
  assert.deepEqual(works, signed)
})

test('a sign-in with the old password during its change ends signed out', async (t) => {
  const [first, second] = await workers(t)
  const { visitor, email } = await registered(first)
  const guests = Array.from({ length: 3 }, () => second.visitor())
  await Promise.all([
    visitor.submit('/password', change),
    ...guests.map((guest) => guest.submit('/login', { email, password, remember: '1' })),
  ])
  for (const guest of guests) {
    assert.equal(await isSignedIn(guest), false)
    guest.cookies.delete('session')
    assert.equal(await isSignedIn(guest), false)
  }
})

test('a device that is revoked during its revival is not signed in', async (t) => {
  const [first, second] = await workers(t)
  const { visitor, email } = await registered(first)
  const device = await signedIn(second, email, { remember: '1' })
  device.cookies.delete('session')
  const [path = ''] = revokePathsOn((await visitor.ask('/account')).text, 'devices')
  await Promise.all([visitor.submit(path), device.ask('/account')])
  assert.equal(await isSignedIn(device), false)
})

for (const masks of ['one mask', 'four masks']) {
  test(`four sign-ins on two workers from one session, with ${masks}, leave one session and one device`, async (t) => {
    const [first, second, url] = await workers(t)
    const { email } = await registered(first)
    const database = await connect(url)
    t.after(() => database.close())
    await database.run(sql`DELETE FROM sessions`)
    const visitor = first.visitor()
    const tokens: string[] = []
    for (let tab = 0; tab < 4; tab += 1) {
      tokens.push(
        masks === 'one mask' ? (tokens[0] ?? (await visitor.token())) : await visitor.token(),
      )
    }
    const tabs = tokens.map((_token, index) => {
      const body = new URLSearchParams({ _token, email, password, remember: '1' })
      return at(index % 2 === 0 ? first : second, visitor).ask('/login', { method: 'POST', body })
    })
    const answers = await Promise.all(tabs)
    for (const { headers } of answers) assert.equal(headers['location'], '/account')
    const winner = answers.find(({ cookies }) => cookies.length > 0)
    for (const line of winner?.cookies ?? []) {
      const [, name = '', value = ''] = /^([^=]+)=([^;]*)/.exec(line) ?? []
      visitor.cookies.set(name, value)
    }
    const { page } = await visitor.follow(answers[0] ?? assert.fail())
    assert.equal(messageOn(page), 'Welcome back!')
    const sessions = await database.rows(sql`SELECT id FROM sessions WHERE identity IS NOT NULL`)
    const devices = await database.rows(sql`SELECT id FROM trusts`)
    assert.deepEqual([sessions.length, devices.length], [1, 1])
  })
}
