import assert from 'node:assert/strict'
import { test } from 'node:test'
import { preparedDatabase, serveDemo } from './serve-demo.ts'

test('a developer sees the code that failed', async (t) => {
  const app = await serveDemo({ environment: 'development' })
  t.after(() => app.close())
  const { status, text } = await app.inject({ url: '/error' })
  assert.equal(status, 500)
  assert.match(text, /This route fails on purpose/)
  assert.match(text, /routes\/failure\.ts/)
})

test('a visitor sees an error page of the project, and none of the code', async (t) => {
  const DATABASE_URL = await preparedDatabase(t)
  const app = await serveDemo({ environment: 'production', env: { DATABASE_URL } })
  t.after(() => app.close())
  const { status, text, headers } = await app.inject({ url: '/error' })
  assert.equal(status, 500)
  assert.match(text, /Something went wrong/)
  assert.ok(text.includes(headers['x-request-id'] ?? 'no id'))
  assert.doesNotMatch(text, /on purpose|failure\.ts/)
})
