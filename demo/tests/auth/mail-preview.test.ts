import assert from 'node:assert/strict'
import { test } from 'node:test'
import { preparedDatabase, serveDemo } from '../serve-demo.ts'
import { registered } from './people.ts'

test('in development /mails shows the mails that were sent', async (t) => {
  const app = await serveDemo({ environment: 'development' })
  t.after(() => app.close())
  const { email } = await registered(app)
  await app.mails.sent({ to: email, subject: 'Verify your e-mail' })
  const { status, text } = await app.inject({ url: '/mails', headers: { host: '127.0.0.1' } })
  assert.equal(status, 200)
  assert.ok(text.includes(email))
  assert.match(text, /<a href="\/">/)
  assert.match((await app.inject({ url: '/' })).text, /href="\/mails"/)
})

test('in other environments there is no such page', async (t) => {
  const DATABASE_URL = await preparedDatabase(t)
  for (const environment of ['test', 'production'] as const) {
    const app = await serveDemo({ environment, env: { DATABASE_URL } })
    t.after(() => app.close())
    assert.equal((await app.inject({ url: '/mails' })).status, 404)
    assert.doesNotMatch((await app.inject({ url: '/' })).text, /href="\/mails"/)
  }
})
