import assert from 'node:assert/strict'
import { readdir, rm } from 'node:fs/promises'
import { join } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import { after, test } from 'node:test'
import { linkIn } from 'framework/testing'
import type { Visitor } from 'framework/testing'
import { serveDemo } from '../serve-demo.ts'
import { confirmed, signedIn, verified } from './people.ts'

const folder = join(import.meta.dirname, '..', '..', 'storage', 'exports')

const others = await exported()
const app = await serveDemo()
after(async () => {
  await app.close()
  for (const name of await exported()) {
    if (!others.includes(name)) await rm(join(folder, name), { force: true })
  }
})

/** The names of the files that were made so far. */
function exported(): Promise<string[]> {
  return readdir(folder).catch(() => [])
}

const page = '/account/export'
const file = `${page}/file`
const ready = 'Your data is ready to download'

/** A visitor whose data was collected. */
async function collected() {
  const { visitor, email } = await verified(app)
  await confirmed(visitor)
  await visitor.submit(page)
  return { visitor, email, link: linkIn(await app.mails.sent({ to: email, subject: ready })) }
}

test('its page asks who you are first, and a stolen session gets nothing', async () => {
  const { visitor, email } = await collected()
  const thief = await signedIn(app, email)
  for (const url of [page, file]) {
    assert.equal((await thief.ask(url)).headers['location'], '/confirm')
  }
  assert.equal((await thief.submit(page)).to, '/confirm')
  assert.equal((await app.visitor().ask(file)).headers['location'], '/login')
  assert.equal((await visitor.ask(file)).status, 200)
})

test('the data is collected after the response, and a mail says where it is', async () => {
  const { visitor, email } = await verified(app)
  await signedIn(app, email, { remember: '1' })
  await confirmed(visitor)
  assert.match((await visitor.ask(page)).text, /Collect my data/)
  const { to, message } = await visitor.submit(page)
  assert.equal(to, page)
  assert.equal(message, 'We are collecting your data and will send you a mail when it is ready.')
  const link = linkIn(await app.mails.sent({ to: email, subject: ready }))
  assert.equal(link, page)
  assert.match((await visitor.ask(page)).text, /Download the file/)
  const answer = await visitor.ask(file)
  const { headers } = answer
  assert.equal(answer.status, 200)
  assert.match(headers['content-disposition'] ?? '', /^attachment; filename="account-[\d-]+\.json"/)
  assert.equal(headers['cache-control'], 'no-store')
  assert.equal(headers['content-type'], 'application/json; charset=utf-8')
  const data = Object(answer.json())
  assert.equal(data.account.email, email)
  const day = new Date().toISOString().slice(0, 10)
  assert.deepEqual(
    [data.account.created, data.account.verifiedAt].map((time) => time.slice(0, 10)),
    [day, day],
  )
  assert.equal(data.authenticator, null)
  assert.equal(data.devices.length, 1)
  assert.equal(data.sessions.length, 2)
  assert.deepEqual(Object.keys(data).slice(0, 4), ['created', 'account', 'devices', 'sessions'])
})

test('an account sees its own file only', async () => {
  await collected()
  const { visitor } = await verified(app)
  await confirmed(visitor)
  const { to, message } = await visitor.open(file)
  assert.deepEqual([to, message], [page, 'There is nothing to download. Ask for a new copy.'])
})

test('an account gets three exports a day', async () => {
  const { visitor } = await collected()
  const statuses: number[] = []
  for (let round = 0; round < 3; round += 1) {
    await waitUntilReady(visitor)
    statuses.push((await visitor.submit(page)).status)
  }
  assert.deepEqual(statuses, [303, 303, 429])
})

async function waitUntilReady(visitor: Visitor): Promise<void> {
  while (!/Download the file/.test((await visitor.ask(page)).text)) await sleep(10)
}
