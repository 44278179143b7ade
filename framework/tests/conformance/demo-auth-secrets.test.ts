import assert from 'node:assert/strict'
import { randomBytes } from 'node:crypto'
import { globSync, readFileSync, statSync } from 'node:fs'
import { join } from 'node:path'
import { test } from 'node:test'
import type { TestContext } from 'node:test'
import { isSignedIn, registered } from '../../../demo/tests/auth/people.ts'
import { emptyDatabase, serveDemo } from '../support/demo-tests.ts'
import { Throwables } from '../../src/errors/throwables/throwables.ts'
import { connect } from '../../src/database/connect.ts'
import { sql } from '../../src/database/sql/plan/statement.ts'
import { readMail } from '../../src/mail/read-mail.ts'
import type { ReadMail } from '../../src/mail/read-mail.ts'
import { linkIn } from '../../src/mail/mail-testing.ts'
import { Visitor } from '../../src/testing/visitor.ts'
import { RunningCommand, runCommand } from '../support/command.ts'
import { overHttp } from '../support/over-http.ts'
import { plantDemo } from '../support/plant-demo.ts'
import { waitFor } from '../support/wait-for.ts'

const atLogin = { tokenPage: '/login' }
const chosen = 'quiet copper lamp 4711'
const changed = 'seven green bottles 4712'
const mistyped = 'a password for somewhere else'

/** The demo in production, in its own process with all logs enabled. */
async function serve(
  t: TestContext,
  env: Readonly<Record<string, string>> = {},
): Promise<{ folder: string; command: RunningCommand; url: string; settings: typeof env }> {
  const folder = plantDemo(t)
  const settings = {
    APP_KEY: randomBytes(32).toString('hex'),
    LOG_FILE: 'true',
    LOG_LEVEL: 'debug',
    PORT: '0',
    ...env,
  }
  const options = { cwd: folder, env: settings }
  const { status, stderr } = await runCommand(t, ['migrate'], options)
  assert.equal(status, 0, stderr)
  const command = new RunningCommand(t, ['serve'], options)
  return { folder, command, url: await command.url(), settings }
}

/** The mails so far. */
function mailsIn(folder: string): Promise<ReadMail[]> {
  const files = globSync('storage/mails/*.eml', { cwd: folder }).toSorted()
  return Promise.all(files.map((file) => readMail(readFileSync(join(folder, file)))))
}

/** Waits for this many mails and returns the paths of their links. */
function links(folder: string, count: number): Promise<string[]> {
  return waitFor(`${count} mails`, async () => {
    const found = (await mailsIn(folder)).map(linkIn)
    return found.length >= count && found
  })
}

/** Waits for the mail with this subject and returns the path of its link. */
function linkOf(folder: string, subject: string): Promise<string> {
  return waitFor(subject, async () => {
    const mail = (await mailsIn(folder)).find((one) => one.header('subject') === subject)
    return mail === undefined ? undefined : linkIn(mail)
  })
}

/** Waits for the mail to sign in with; its code, and the path of its link. */
async function signInMail(folder: string): Promise<{ code: string; link: string }> {
  const mail = await waitFor('the mail to sign in with', async () => {
    return (await mailsIn(folder)).find(({ text }) => text?.includes('/login/mail/')) ?? false
  })
  return { code: /^ {4}(\d{6})$/m.exec(mail.text ?? '')?.[1] ?? '', link: linkIn(mail) }
}

/** Everything the process wrote except mails, which must contain links. */
function written(folder: string, command: RunningCommand): Map<string, string> {
  const files = globSync('storage/**', { cwd: folder }).filter(
    (file) => !file.startsWith(join('storage', 'mails')) && statSync(join(folder, file)).isFile(),
  )
  const texts = files.map((file): [string, string] => [
    file,
    readFileSync(join(folder, file), 'latin1'),
  ])
  return new Map([...texts, ['output', command.stdout + command.stderr]])
}

function assertNone(places: ReadonlyMap<string, string>, secrets: Iterable<string>): void {
  for (const secret of secrets) {
    assert.ok(secret.length >= 16, `"${secret}" is no secret`)
    for (const [place, text] of places) assert.ok(!text.includes(secret), `${place} holds a secret`)
  }
}

/** The secret halves of links and cookies, which must not be stored. */
function secretOf(text: string): string {
  return text.split(/[./]/).at(-1) ?? ''
}

test('no password, link or cookie is in a table, a log, a metric or on a terminal', async (t) => {
  const { folder, command, url } = await serve(t)
  const app = overHttp(url)
  const visitor = new Visitor(app, atLogin)
  const email = 'ada@example.com'
  const secrets = new Set([chosen, changed, mistyped])
  const note = (...visitors: readonly Visitor[]): void => {
    for (const { cookies } of visitors)
      for (const value of cookies.values()) secrets.add(secretOf(value))
  }
  const twice = { password: chosen, password_confirmation: chosen }
  await visitor.submit('/register', { email: 'ada', ...twice })
  assert.equal((await visitor.submit('/register', { email, ...twice })).to, '/account')
  note(visitor)
  const [verify = ''] = await links(folder, 1)
  secrets.add(secretOf(verify))
  await visitor.ask(verify)
  const other = new Visitor(app, atLogin)
  await other.submit('/login', { email, password: mistyped })
  note(other)
  await other.submit('/login', { email: mistyped, password: mistyped })
  await other.submit('/login', { email, password: chosen, remember: '1' })
  note(other)
  const thief = new Visitor(app, atLogin)
  thief.cookies.set('remember', other.cookies.get('remember') ?? '')
  other.cookies.delete('session')
  assert.equal(await isSignedIn(other), true)
  note(other)
  await thief.ask('/account')
  await visitor.submit('/login', { email, password: chosen })
  await visitor.submit('/password', {
    current: chosen,
    password: changed,
    password_confirmation: changed,
  })
  note(visitor)
  await new Visitor(app, atLogin).submit('/forgot', { email })
  const [, , , reset = ''] = await links(folder, 4)
  secrets.add(secretOf(reset))
  await visitor.ask(`${verify}?token=${secretOf(reset)}`, { headers: { referer: url + reset } })
  await visitor.submit(reset, { password: 'short' })

  // A failure at an address that contains the secret.
  const database = await connect(`sqlite:${join(folder, 'storage', 'database.sqlite')}`)
  await database.run(sql`ALTER TABLE users RENAME TO people`)
  const failed = await new Visitor(app, atLogin).ask(reset)
  assert.equal(failed.status, 500)
  assert.ok(!failed.text.includes(secretOf(reset)))
  await database.run(sql`ALTER TABLE people RENAME TO users`)
  await database.close()
  assert.equal((await visitor.submit(reset, twice)).to, '/login')
  note(visitor)

  const reader = new Visitor(app, atLogin)
  await reader.submit('/login/mail', { email })
  note(reader)
  const { code, link } = await signInMail(folder)
  secrets.add(secretOf(link))
  await reader.submit('/login/mail/code', { code: code === '111111' ? '222222' : '111111' })
  await reader.ask(link)
  assert.equal((await reader.submit('/login/mail/code', { code })).to, '/account')
  note(reader)
  await visitor.submit('/login', { email, password: chosen })
  await visitor.submit('/confirm/password', { password: chosen })
  await visitor.submit('/account/email', { email: 'ada@new.example.com' })
  const change = await linkOf(folder, 'Confirm your new e-mail')
  await visitor.submit(change)
  const undo = await linkOf(folder, 'Your e-mail address was changed')
  await visitor.submit('/account/delete')
  const keep = await linkOf(folder, 'Your account will be deleted')
  await visitor.ask(keep, { headers: { referer: url + undo } })
  for (const link of [change, undo, keep]) secrets.add(secretOf(link))
  note(visitor)

  const { text: metrics } = await app.inject({ url: '/metrics' })
  const { text: statements } = await app.inject({ url: '/metrics/statements' })
  assert.match(statements, /"statement":"SELECT /)
  assert.match(metrics, /auth_events_total\{event="failed"[^}]*\} [1-9]/)
  assert.equal(await command.stop(), 0)
  const places = written(folder, command)
  const told = [
    ['metrics', metrics],
    ['statements', statements],
  ] as const
  assertNone(new Map([...places, ...told]), secrets)
  // As a value: six digits are in many a number.
  for (const [place, text] of places) {
    assert.doesNotMatch(text, new RegExp(`["'=]${code}["'&]`), `${place} holds a code`)
  }
  const exceptions = places.get(join('storage', 'logs', 'exceptions.log')) ?? ''
  assert.match(exceptions, /"URI":"\/reset\/[0-9a-f]{16}\/\[redacted\]"/i)
  const audit = places.get(join('storage', 'logs', 'auth.log')) ?? ''
  for (const event of [
    'registered',
    'failed',
    'login',
    'revived',
    'theft',
    'changed',
    'verified',
    'reset',
    'email_changed',
    'deletion_requested',
  ]) {
    assert.ok(audit.includes(`"event":"${event}"`), event)
  }
  assert.ok(!audit.includes(email), 'the audit names accounts by their id')
})

test('a queued mail is stored without its link in clear text, and a known address looks like an unknown one', async (t) => {
  const { folder, command, url, settings } = await serve(t, { MAIL_QUEUE: '1' })
  const app = overHttp(url)
  const email = 'ada@example.com'
  await new Visitor(app, atLogin).submit('/register', {
    email,
    password: chosen,
    password_confirmation: chosen,
  })
  const database = await connect(`sqlite:${join(folder, 'storage', 'database.sqlite')}`)
  // Each is pushed behind its response: without waiting the next one may come first.
  const sizesOf = (count: number): Promise<unknown[]> =>
    waitFor(`${count} jobs`, async () => {
      const jobs = await database.rows(sql`SELECT length(payload) AS size FROM jobs ORDER BY id`)
      return jobs.length === count && jobs.map(({ size }) => size)
    })
  let jobs = 1
  for (const form of ['/forgot', '/login/mail']) {
    for (const asked of [email, 'bob@example.com']) {
      await sizesOf(jobs)
      await new Visitor(app, atLogin).submit(form, { email: asked })
      jobs += 1
    }
  }
  const sizes = await sizesOf(jobs)
  assert.equal(sizes[1], sizes[2])
  assert.equal(sizes[3], sizes[4])
  const tokens = await database.rows(sql`SELECT purpose FROM tokens`)
  assert.deepEqual(
    tokens.map(({ purpose }) => purpose),
    ['verification'],
    'the web process looked the account up',
  )
  await database.close()
  assert.equal(await command.stop(), 0)
  const before = written(folder, command)
  assert.equal(globSync('storage/mails/*.eml', { cwd: folder }).length, 0)
  const drained = await runCommand(t, ['queue', 'run', 'mail', '--once'], {
    cwd: folder,
    env: settings,
  })
  assert.equal(drained.status, 0, drained.stderr)
  // Four requests for a mail, and a message each; two of them were only dry runs.
  assert.match(drained.stdout, /mail: 9 done, 0 failed, 0 dead\n$/)
  const secrets = (await links(folder, 3)).map(secretOf)
  assert.equal(secrets.length, 3)
  assertNone(before, secrets)
  assertNone(written(folder, command), secrets)
  assertNone(new Map([['output', drained.stdout + drained.stderr]]), secrets)
})

test('the debug page and reporters see a failing link without its secret', async (t) => {
  const DATABASE_URL = emptyDatabase(t)
  const app = await serveDemo({ environment: 'development', env: { DATABASE_URL } })
  t.after(() => app.close())
  const { email } = await registered(app)
  await new Visitor(app, atLogin).submit('/forgot', { email })
  const link = linkIn(await app.mails.sent({ to: email, subject: 'Reset your password' }))
  const reported: unknown[] = []
  const reporter = (error: Error, context: object): void => {
    reported.push({ text: error.message, stack: error.stack, ...context })
  }
  Throwables.reporters.push(reporter)
  t.after(() => void Throwables.reporters.splice(Throwables.reporters.indexOf(reporter), 1))
  const database = await connect(DATABASE_URL)
  await database.run(sql`DROP TABLE users`)
  await database.close()
  const referer = `http://localhost${link}`
  const token = await new Visitor(app, atLogin).token()
  for (const accept of ['text/html', 'application/json', 'application/problem+json']) {
    for (const method of ['GET', 'POST']) {
      const visitor = new Visitor(app, atLogin)
      const body = { password: chosen, password_confirmation: chosen }
      const { status, text } = await visitor.ask(link, {
        method,
        // Details are only shown to this machine.
        address: '127.0.0.1',
        headers: {
          accept,
          referer,
          'x-csrf-token': method === 'POST' ? await visitor.token() : token,
        },
        ...(method === 'POST' && { body: new URLSearchParams(body) }),
      })
      assert.equal(status, 500)
      assert.ok(text.includes('users'), 'it is no page for developers')
      for (const secret of [secretOf(link), chosen]) {
        assert.ok(!text.includes(secret), `${method} ${accept} shows a secret`)
      }
    }
  }
  assert.ok(reported.length >= 6)
  assert.ok(!JSON.stringify(reported).includes(secretOf(link)))
  assert.match(JSON.stringify(reported), /"URI":"\/reset\/[0-9a-f]{16}\/\[redacted\]"/i)
})
