import assert from 'node:assert/strict'
import { join } from 'node:path'
import { test } from 'node:test'
import { projectServer } from 'framework/testing'

test('the home page says what this is', async (t) => {
  const app = await projectServer(join(import.meta.dirname, '..'))
  t.after(() => app.close())
  const { status, text } = await app.inject({ url: '/' })
  assert.equal(status, 200)
  assert.match(text, /<h1>Starter<\/h1>/)
})
