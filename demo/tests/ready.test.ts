import assert from 'node:assert/strict'
import { test } from 'node:test'
import { serveDemo } from './serve-demo.ts'

test('/ready checks the database', async (t) => {
  const app = await serveDemo()
  t.after(() => app.close())
  const answer = await app.inject({ url: '/ready' })
  assert.deepEqual(answer.json(), { status: 'ready', checks: { database: 'ok' } })
})
