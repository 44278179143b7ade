import assert from 'node:assert/strict'
import { test } from 'node:test'
import { linkIn } from 'framework/testing'
import type { ProjectServer, Visitor } from 'framework/testing'
import { tokenOn } from 'framework/testing'
import { emptyDatabase, serveDemo } from '../serve-demo.ts'
import { newEmail, password, registered } from './people.ts'
import { signedIn } from './people.ts'

const ops = `ops-${process.pid}@example.com`

/** Starts the project with an inbox for one account, fails twice, and stores that by closing it. */
async function failed(url: string, email: string): Promise<ProjectServer> {
  const app = await inbox(url, email)
  const visitor = app.visitor()
  for (let times = 0; times < 2; times += 1) {
    assert.equal((await visitor.ask('/error')).status, 500)
  }
  await app.close()
  return app
}

function inbox(url: string, email: string): Promise<ProjectServer> {
  const env = { DATABASE_URL: url, ERRORS_ACCOUNTS: email, ERRORS_MAIL: ops, APP_RELEASE: '1.4.2' }
  return serveDemo({ env })
}

async function register(app: ProjectServer, email: string): Promise<Visitor> {
  const visitor = app.visitor()
  await visitor.submit('/register', { email, password, password_confirmation: password })
  return visitor
}

function pathIn(list: string): string {
  return /\/errors\/[\da-f]{32}/.exec(list)?.[0] ?? assert.fail('there is no error')
}

test('without ERRORS_ACCOUNTS there is no inbox', async (t) => {
  const app = await serveDemo()
  t.after(() => app.close())
  assert.equal((await app.visitor().ask('/errors')).status, 404)
})

test('only a verified account of ERRORS_ACCOUNTS opens the inbox', async (t) => {
  const email = newEmail()
  const app = await inbox(emptyDatabase(t), email.toUpperCase())
  t.after(() => app.close())
  for (const path of ['/errors', `/errors/${'a'.repeat(32)}`, '/queue', '/queue/mail']) {
    assert.equal((await app.visitor().ask(path)).status, 404, path)
  }
  const { visitor: other, email: otherEmail } = await registered(app)
  const admin = await register(app, email)
  assert.equal((await admin.ask('/errors')).status, 404)
  await admin.ask(linkIn(await app.mails.sent({ to: email, subject: 'Verify your e-mail' })))
  await other.ask(linkIn(await app.mails.sent({ to: otherEmail, subject: 'Verify your e-mail' })))
  for (const path of ['/errors', '/queue', '/queue/mail']) {
    assert.equal((await admin.ask(path)).status, 200, path)
    assert.equal((await other.ask(path)).status, 404, path)
  }
})

test('a new error and one that comes back are told in a mail each, with release and link', async (t) => {
  const email = newEmail()
  const url = emptyDatabase(t)
  await failed(url, email)
  const app = await inbox(url, email)
  const told = await app.mails.sent({ to: ops, subject: /^1 new error on / })
  const admin = await register(app, email)
  await admin.ask(linkIn(await app.mails.sent({ to: email, subject: 'Verify your e-mail' })))
  const list = (await admin.ask('/errors')).text
  assert.match(list, /This route fails on purpose/)
  assert.match(list, /data-unit="times">2</)
  const path = pathIn(list)
  assert.equal(linkIn(told), path)
  const token = tokenOn((await admin.ask(path)).text)
  const body = new URLSearchParams({ _token: token })
  await admin.ask(`${path}/resolve`, { method: 'POST', body })
  await app.close()
  await failed(url, email)
  await failed(url, email)
  const again = await inbox(url, email)
  t.after(() => again.close())
  // The next message is at least three minutes after the last.
  again.travel(300)
  const mail = await again.mails.sent({ to: ops, subject: /^1 returned error on / })
  assert.match(
    mail.text ?? '',
    /This route fails on purpose.*returned error, 6 times, release 1\.4\.2/,
  )
  assert.equal(linkIn(mail), path)
  const { text } = await (await signedIn(again, email)).ask(path)
  assert.match(text, /Came back in release 1\.4\.2/)
  const sent = await Promise.all([app, again].map((one) => one.mails.all({ to: ops })))
  assert.equal(sent.flat().length, 2)
})
