import assert from 'node:assert/strict'
import { test } from 'node:test'
import type { TestContext } from 'node:test'
import { createThrowables } from '../../src/errors/throwables/throwables.ts'
import { connectRedis } from '../../src/redis/connect-redis.ts'
import { RateLimit } from '../../src/http/middlewares/rate-limit.ts'
import { RedisRateLimits } from '../../src/http/rate-limits/redis-rate-limits.ts'
import { startOwnRedis } from '../support/redis-server.ts'
import { serve } from '../support/serve.ts'
import { waitFor } from '../support/wait-for.ts'

/** A server with a limit of three per name, and the reports of its store. */
interface Site {
  /** Makes this many requests for a name, one after the other, and returns their statuses. */
  readonly ask: (name: string, times: number) => Promise<number[]>
  readonly reported: readonly Error[]
}

async function site(t: TestContext, url: string): Promise<Site> {
  const reported: Error[] = []
  const throwables = createThrowables()
  throwables.reporters.push((error) => reported.push(error))
  const redis = await connectRedis(`${url}?command_timeout=15`)
  t.after(() => redis.close())
  const { port } = await serve(t, (server) => {
    // Seconds pass between two requests, as on a busy machine: each of them tries the store.
    let passedMs = 0
    const nowMs = (): number => (passedMs += 2_000)
    server.rateLimits(new RedisRateLimits(redis, { throwables, nowMs }))
    const key = ({ query }: { query: Readonly<Record<string, string>> }): string =>
      query['name'] ?? ''
    const limit = new RateLimit({ limit: 3, window: 3600, key })
    server.router.get('/', () => 'in', { middlewares: [limit] })
  })
  const ask = async (name: string, times: number): Promise<number[]> => {
    const statuses: number[] = []
    for (let time = 0; time < times; time += 1) {
      const answer = await fetch(`http://127.0.0.1:${port}/?name=${name}`)
      await answer.arrayBuffer()
      statuses.push(answer.status)
    }
    return statuses
  }
  return { ask, reported }
}

test('while Redis is down each process counts on its own, warns once, and recovers', async (t) => {
  const server = await startOwnRedis().catch((error: Error) => error)
  if (server instanceof Error) return t.skip(server.message)
  t.after(() => server.stop())
  const [one, other] = [await site(t, server.url), await site(t, server.url)]
  assert.deepEqual(await one.ask('before', 2), [200, 200])
  assert.deepEqual(await other.ask('before', 2), [200, 429], 'both count together')

  const seen: number[] = []
  const load = new AbortController()
  t.after(() => load.abort())
  const visitors = Array.from({ length: 4 }, async (_, visitor) => {
    while (!load.signal.aborted) seen.push(...(await one.ask(`load-${visitor}`, 1)))
  })
  await waitFor('some answers', () => seen.length > 20)
  await server.kill()
  assert.deepEqual(await one.ask('during', 4), [200, 200, 200, 429])
  assert.deepEqual(await other.ask('during', 4), [200, 200, 200, 429], 'each for itself')
  await server.restart()
  let round = 0
  await waitFor('a count that both share again', async () => {
    round += 1
    const counted = [
      ...(await one.ask(`after-${round}`, 3)),
      ...(await other.ask(`after-${round}`, 1)),
    ]
    assert.deepEqual(counted.slice(0, 3), [200, 200, 200])
    return counted[3] === 429
  })
  load.abort()
  await Promise.all(visitors)
  assert.deepEqual(new Set(seen), new Set([200, 429]), 'nobody got anything else')
  for (const { reported } of [one, other]) {
    assert.deepEqual(
      reported.map(({ message }) => message),
      ['the store of rate limits does not answer; until it does, each process counts for itself'],
    )
  }
})
