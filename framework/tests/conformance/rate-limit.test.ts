import assert from 'node:assert/strict'
import { test } from 'node:test'
import type { TestContext } from 'node:test'
import { RateLimit } from '../../src/http/middlewares/rate-limit.ts'
import { serve } from '../support/serve.ts'

/** Serves the rate limit of the specification's example, and returns a function that requests it. */
async function site(t: TestContext): Promise<(path: string, method?: string) => Promise<Response>> {
  const { port } = await serve(t, ({ router }) => {
    const login = new RateLimit({
      limit: 5,
      window: 60,
      key: (request) => `login:${request.peer}`,
    })
    router.post('/login', () => 'in', { middlewares: [login] })
    router.post('/forgot', () => 'sent', {
      middlewares: [new RateLimit({ limit: 3, window: 600 })],
    })
    router.get('/', () => 'open')
  })
  return (path, method = 'POST') => fetch(`http://127.0.0.1:${port}${path}`, { method })
}

test('a peer may send five requests in sixty seconds; the sixth is 429 Too Many Requests', async (t) => {
  const ask = await site(t)
  const startedAt = Date.now() / 1000
  for (const remaining of ['4', '3', '2', '1', '0']) {
    const { status, headers } = await ask('/login')
    assert.equal(status, 200)
    assert.equal(headers.get('x-ratelimit-limit'), '5')
    assert.equal(headers.get('x-ratelimit-remaining'), remaining)
    const reset = Number(headers.get('x-ratelimit-reset'))
    assert.ok(reset >= startedAt + 60 && reset <= startedAt + 75, `${reset}`)
  }
  const refused = await ask('/login')
  assert.equal(refused.status, 429)
  assert.equal(refused.statusText, 'Too Many Requests')
  assert.match(await refused.text(), /Too Many Requests/)
  const wait = Number(refused.headers.get('retry-after'))
  assert.ok(wait >= 45 && wait <= 60, `${wait}`)
})

test('each route counts on its own, and one without a limit never refuses', async (t) => {
  const ask = await site(t)
  for (let request = 0; request < 6; request += 1) await ask('/login')
  assert.equal((await ask('/login')).status, 429)
  assert.equal((await ask('/forgot')).status, 200)
  const open = await ask('/', 'GET')
  assert.equal(open.status, 200)
  assert.equal(open.headers.get('x-ratelimit-limit'), null)
})
