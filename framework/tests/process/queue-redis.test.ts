import assert from 'node:assert/strict'
import { createSecretKey, randomBytes } from 'node:crypto'
import { test } from 'node:test'
import { Encrypter } from '../../src/base/crypto/encrypter.ts'
import { createThrowables } from '../../src/errors/throwables/throwables.ts'
import { connectRedisJobs } from '../../src/queue/queue-settings.ts'
import { runQueue } from '../../src/queue/run-queue.ts'
import { Queue } from '../../src/queue/queue.ts'
import { startOwnRedis } from '../support/redis-server.ts'
import { waitFor } from '../support/wait-for.ts'

const encrypter = new Encrypter([createSecretKey(randomBytes(32))], 'queue')

test('when Redis is killed, pushes fail at once, and the worker continues when it is back', async (t) => {
  const server = await startOwnRedis().catch((error: Error) => error.message)
  if (typeof server === 'string') return t.skip(server)
  t.after(() => server.stop())
  const store = await connectRedisJobs(server.url)
  t.after(() => store.close())
  const queue = new Queue<number>('numbers', store, { encrypter, visibility: 2, attempts: 100 })
  const reports: Error[] = []
  const throwables = createThrowables()
  throwables.reporters.push((error) => reports.push(error))
  const stopping = new AbortController()
  const done = new Set<number>()
  const running = runQueue(queue, async ({ payload }) => void done.add(payload), {
    concurrency: 4,
    poll: 0.05,
    signal: stopping.signal,
    throwables,
  })
  for (let number = 0; number < 50; number++) await queue.push(number)
  await waitFor('the first jobs', () => done.size > 10)
  await server.kill()
  await assert.rejects(queue.push(-1), (error: Error & { code?: string }) => {
    assert.equal(error.code, 'E_REDIS_LOST')
    return !`${error.stack} ${JSON.stringify(error)}`.includes('let me in')
  })
  await waitFor('a report', () => reports.length > 0)
  await server.restart()
  await waitFor('pushes to work again', () =>
    queue.push(50).then(
      () => true,
      () => false,
    ),
  )
  await waitFor('all jobs', () => done.size === 51)
  stopping.abort()
  await running
  assert.ok(
    reports.every((error) => 'code' in error && error.code === 'E_REDIS_LOST'),
    String(reports),
  )
})

test('a worker started while Redis is down starts working when it is back', async (t) => {
  const server = await startOwnRedis().catch((error: Error) => error.message)
  if (typeof server === 'string') return t.skip(server)
  t.after(() => server.stop())
  const store = await connectRedisJobs(server.url)
  t.after(() => store.close())
  const queue = new Queue<number>('numbers', store, { encrypter })
  await queue.push(1)
  await server.kill()
  const throwables = createThrowables()
  const stopping = new AbortController()
  const reported = Promise.withResolvers<void>()
  throwables.reporters.push(() => reported.resolve())
  const running = runQueue(queue, () => stopping.abort(), { signal: stopping.signal, throwables })
  await reported.promise
  await server.restart()
  assert.equal((await running).done, 1)
})
