import assert from 'node:assert/strict'
import crypto from 'node:crypto'
import { syncBuiltinESMExports } from 'node:module'
import { StatementSync } from 'node:sqlite'
import { test } from 'node:test'
import type { TestContext } from 'node:test'
import { newEmail, password, registered } from '../../../demo/tests/auth/people.ts'
import { serveDemo } from '../support/demo-tests.ts'
import type { InjectedResponse } from '../../src/http/server/inject.ts'
import { waitFor } from '../support/wait-for.ts'
import type { ProjectServer } from '../../src/testing/project-server.ts'

// Neither the content nor the cost of a response may reveal whether an account exists.

/** What the process did, in order: SQL statements and hashes. */
function watchWork(t: TestContext): string[] {
  const work: string[] = []
  for (const name of ['all', 'run'] as const) {
    const original = StatementSync.prototype[name]
    t.mock.method(
      StatementSync.prototype,
      name,
      function (this: StatementSync, ...values: never[]) {
        // The form of a guest is in one of eight rows, which is there or not by the token of the page.
        const isForm = /^(?:INSERT INTO|UPDATE) "sessions"/.test(this.sourceSQL)
        work.push(isForm ? 'a row of sessions' : this.sourceSQL)
        return Reflect.apply(original, this, values)
      },
    )
  }
  const { argon2 } = crypto
  const hashing = t.mock.method(crypto, 'argon2', (...given: Parameters<typeof argon2>) => {
    work.push(`hash ${given[1].memory} ${given[1].passes} ${given[1].parallelism}`)
    argon2(...given)
  })
  syncBuiltinESMExports()
  t.after(() => {
    hashing.mock.restore()
    syncBuiltinESMExports()
  })
  return work
}

/** A response, and all work done until it was sent. */
interface Observed {
  readonly work: readonly string[]
  readonly status: number
  readonly headers: Readonly<Record<string, string>>
  readonly length: number
  /** The size of the page it redirects to, which shows the typed input. */
  readonly next: number
}

async function observe(
  app: ProjectServer,
  work: string[],
  url: string,
  fields: Readonly<Record<string, string>>,
): Promise<Observed> {
  const visitor = app.visitor()
  const body = new URLSearchParams({ _token: await visitor.token(), ...fields })
  work.length = 0
  const answer = await visitor.ask(url, { method: 'POST', body })
  const done = [...work]
  const { text } = await visitor.ask(url)
  return {
    work: done,
    status: answer.status,
    headers: comparable(answer),
    length: answer.bytes.length,
    next: text.length,
  }
}

/** Headers without values that differ each time; of cookies only the length is kept. */
function comparable({ headers }: InjectedResponse): Record<string, string> {
  const { 'x-request-id': id = '', 'set-cookie': cookie = '', ...others } = headers
  const moments = { 'x-ratelimit-reset': '…' }
  return {
    ...others,
    ...moments,
    'x-request-id': '…'.repeat(id.length),
    'set-cookie': cookie.replace(/=[\w.-]{16,}/g, (value) => '…'.repeat(value.length)),
  }
}

async function open(t: TestContext): Promise<ProjectServer> {
  const app = await serveDemo()
  t.after(() => app.close())
  return app
}

/** The e-mail of an account that has no mails pending. */
async function settled(app: ProjectServer): Promise<string> {
  const { email } = await registered(app)
  await app.mails.sent({ to: email, subject: 'Verify your e-mail' })
  return email
}

test('an unknown e-mail and a wrong password have the same status, headers, length, statements and hashes', async (t) => {
  const app = await open(t)
  const email = await settled(app)
  const work = watchWork(t)
  const wrong = await observe(app, work, '/login', { email, password: 'quiet copper lamb' })
  const unknown = await observe(app, work, '/login', { email: newEmail(), password })
  assert.equal(wrong.status, 303)
  assert.deepEqual(
    wrong.work.filter((step) => step.startsWith('hash')),
    ['hash 19456 2 1'],
  )
  assert.ok(wrong.work.some((step) => step.includes('FROM "users"') || /FROM\s+users/.test(step)))
  assert.deepEqual(unknown, wrong)
})

test('the same holds for JSON clients', async (t) => {
  const app = await open(t)
  const email = await settled(app)
  const work = watchWork(t)
  const observed: unknown[] = []
  for (const body of [
    { email, password: 'quiet copper lamb' },
    { email: newEmail(), password },
  ]) {
    const visitor = app.visitor()
    await visitor.token()
    work.length = 0
    const answer = await visitor.send('/login', body)
    observed.push([[...work], answer.status, comparable(answer), answer.text])
  }
  assert.deepEqual(observed[0], observed[1])
})

test('requesting a link has the same response and the same work for every e-mail, and the mail is sent afterwards', async (t) => {
  const app = await open(t)
  const email = await settled(app)
  const work = watchWork(t)
  const known = await observe(app, work, '/forgot', { email })
  await app.mails.sent({ to: email, subject: 'Reset your password' })
  const unknown = await observe(app, work, '/forgot', { email: newEmail() })
  assert.equal(known.status, 303)
  assert.deepEqual(unknown, known)
  assert.ok(
    !known.work.some((step) => /\b(?:users|tokens)\b/.test(step)),
    'the account was looked up',
  )
})

test('the work behind the response is the same for every e-mail too', async (t) => {
  const app = await open(t)
  const email = await settled(app)
  const work = watchWork(t)
  const behind: string[][] = []
  for (const address of [email, newEmail(), email, newEmail()]) {
    const before = behind[0]?.length ?? 0
    await observe(app, work, '/forgot', { email: address })
    if (before === 0) await app.mails.sent({ to: email, subject: 'Reset your password' })
    // The first is complete when its mail is there; the others must get as far.
    await waitFor('as much work', () => work.length >= before, 30)
    behind.push([...work])
  }
  assert.ok(behind[0]?.some((step) => /INTO "?tokens/.test(step)))
  for (const steps of behind) assert.deepEqual(steps, behind[0])
})

test('work on the mail has not started when the response is sent', async (t) => {
  const app = await open(t)
  const email = await settled(app)
  const visitor = app.visitor()
  const body = new URLSearchParams({ _token: await visitor.token(), email })
  const work = watchWork(t)
  await visitor.ask('/forgot', { method: 'POST', body })
  const before = work.filter((step) => step.includes('tokens')).length
  assert.deepEqual([before, (await app.mails.all({ to: email })).length], [0, 1])
  await app.mails.sent({ to: email, subject: 'Reset your password' })
  assert.ok(work.some((step) => step.includes('tokens')))
})

test('asking for a mail to sign in with, and typing a wrong code, is the same for every e-mail', async (t) => {
  const app = await open(t)
  const email = await settled(app)
  const work = watchWork(t)
  const observed: unknown[] = []
  let behind = 1
  for (const address of [email, newEmail()]) {
    const visitor = app.visitor()
    const steps: unknown[] = []
    const post = async (url: string, fields: Readonly<Record<string, string>>): Promise<void> => {
      const body = new URLSearchParams({ _token: await visitor.token(), ...fields })
      work.length = 0
      const answer = await visitor.ask(url, { method: 'POST', body })
      const done = [...work]
      assert.ok(!done.some((step) => /\busers\b/.test(step)), 'a row of a guest')
      // Reading and writing that of the form, and its response.
      assert.ok(done.filter((step) => /\bsessions\b/.test(step)).length <= 3, 'a row of a guest')
      const { text } = await visitor.ask('/login/mail/code')
      // The e-mails and tokens on the page are of equal length.
      const page = text.replaceAll(/ data-wait="\d+"/g, '').length
      steps.push([done, answer.status, comparable(answer), answer.bytes.length, page])
    }
    await post('/login/mail', { email: address })
    if (address === email) await app.mails.sent({ to: email, subject: 'Your sign-in code' })
    // The first is complete when its mail is there; the other must get as far.
    await waitFor('as much work', () => work.length >= behind, 30)
    assert.ok(work.some((step) => /INTO "?mail_sign_ins/.test(step)))
    behind = work.length
    // Three wrong codes, and two after the tries are used up.
    for (let tries = 0; tries < 5; tries += 1) {
      await post('/login/mail/code', { code: '000000' })
    }
    observed.push(steps)
  }
  assert.deepEqual(observed[1], observed[0])
})

test('the work behind a mail to sign in with is the same for every e-mail too', async (t) => {
  const app = await open(t)
  const email = await settled(app)
  const work = watchWork(t)
  const behind: string[][] = []
  for (const address of [email, newEmail(), email, newEmail()]) {
    const before = behind[0]?.length ?? 0
    await observe(app, work, '/login/mail', { email: address })
    if (before === 0) await app.mails.sent({ to: email, subject: 'Your sign-in code' })
    await waitFor('as much work', () => work.length >= before, 30)
    behind.push([...work])
  }
  assert.ok(behind[0]?.some((step) => /INTO "?mail_sign_ins/.test(step)))
  for (const steps of behind) assert.deepEqual(steps, behind[0])
})

test('registering an existing e-mail costs as much as a new one', async (t) => {
  const app = await open(t)
  const email = await settled(app)
  const work = watchWork(t)
  const form = { password, password_confirmation: password }
  const hashes = ({ work: steps }: Observed): number =>
    steps.filter((step) => step.startsWith('hash')).length
  assert.equal(hashes(await observe(app, work, '/register', { email, ...form })), 1)
  assert.equal(hashes(await observe(app, work, '/register', { email: newEmail(), ...form })), 1)
})
