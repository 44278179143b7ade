import assert from 'node:assert/strict'
import { test } from 'node:test'
import { projectServer } from 'framework/testing'
import type { ProjectServer } from 'framework/testing'

async function serve(environment: 'development' | 'production'): Promise<ProjectServer> {
  return projectServer(`${import.meta.dirname}/..`, { environment })
}

test('a developer sees the code that failed', async (t) => {
  const app = await serve('development')
  t.after(() => app.close())
  const { status, text } = await app.inject({ url: '/error' })
  assert.equal(status, 500)
  assert.match(text, /This route fails on purpose/)
  assert.match(text, /routes\/failure\.ts/)
})

test('a visitor sees a page of the project, and nothing of the code', async (t) => {
  const app = await serve('production')
  t.after(() => app.close())
  const { status, text, headers } = await app.inject({ url: '/error' })
  assert.equal(status, 500)
  assert.match(text, /Something went wrong/)
  assert.ok(text.includes(headers['x-request-id'] ?? 'no id'))
  assert.doesNotMatch(text, /on purpose|failure\.ts/)
})
