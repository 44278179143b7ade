import assert from 'node:assert/strict'
import { createSecretKey, randomBytes } from 'node:crypto'
import { describe, test } from 'node:test'
import type { TestContext } from 'node:test'
import { setTimeout as sleep } from 'node:timers/promises'
import { Redis as Client } from 'ioredis'
import { Encrypter } from '../../src/base/crypto/encrypter.ts'
import { connectRedisJobs } from '../../src/queue/queue-settings.ts'
import { runQueue } from '../../src/queue/run-queue.ts'
import { Queue } from '../../src/queue/queue.ts'
import type { RedisJobs } from '../../src/queue/queue-settings.ts'
import { jobStoreContract } from '../support/job-store-contract.ts'
import { onRedis } from '../support/test-redis.ts'

const encrypter = new Encrypter([createSecretKey(randomBytes(32))], 'queue')
let prefixes = 0

onRedis((_open, server) => {
  const newUrl = (): string => `${server().url}?prefix=jobs:${process.pid}:${(prefixes += 1)}:`
  const openJobs = async (t: TestContext, url = newUrl()): Promise<RedisJobs> => {
    const jobs = await connectRedisJobs(url)
    t.after(() => jobs.close())
    return jobs
  }

  // At once: BullMQ lives in real time, and waiting together takes no longer.
  describe('as a store', { concurrency: true }, () => {
    jobStoreContract(async (t) => ({
      store: await openJobs(t),
      pass: (seconds) => sleep(seconds * 1_000),
    }))
  })

  test('eight workers with their own connections do every job once while others push', async (t) => {
    const url = newUrl()
    const stores = await Promise.all(Array.from({ length: 8 }, () => openJobs(t, url)))
    const queues = stores.map((store) => new Queue<number>('numbers', store, { encrypter }))
    const numbers = Array.from({ length: 600 }, (_, at) => at)
    const push = (from: number): Promise<unknown> =>
      Promise.all(numbers.slice(from, from + 300).map(async (n) => queues[n % 8]?.push(n)))
    await push(0)
    const done: number[] = []
    const working = queues.map((queue) =>
      runQueue(queue, ({ payload }) => void done.push(payload), { once: true, concurrency: 4 }),
    )
    await push(300)
    const tallies = await Promise.all(working)
    await runQueue(queues[0] ?? assert.fail(), ({ payload }) => void done.push(payload), {
      once: true,
    })
    assert.deepEqual(
      done.toSorted((a, b) => a - b),
      numbers,
    )
    assert.ok(tallies.filter((tally) => tally.done > 0).length > 1, 'several workers took part')
  })

  test('stored data contains neither payload nor key, and after the job no payload at all', async (t) => {
    const url = newUrl()
    const store = await openJobs(t, url)
    const queue = new Queue('mail', store, { encrypter, attempts: 1 })
    const secrets = ['ada@example.org', 'deadbeefcafe0123', 'hunter2hunter2', 'welcome:42']
    const payload = { to: secrets[0], link: `https://x/reset/${secrets[1]}`, password: secrets[2] }
    await queue.push(payload, { key: 'welcome:42' })
    await queue.push({ ...payload, fails: true })
    const scan = async (): Promise<string> => {
      const text = await contents(server().url, new URL(url).searchParams.get('prefix') ?? '')
      for (const secret of secrets) {
        for (const form of [secret, Buffer.from(secret).toString('base64').replaceAll('=', '')]) {
          assert.ok(!text.includes(form), `${form} is stored`)
        }
      }
      return text
    }
    assert.match(await scan(), /"data"/)
    await runQueue(
      queue,
      (job) => {
        if (Object(job.payload).fails) throw new TypeError(`cannot reach ${secrets.join()}`)
      },
      { once: true },
    )
    const left = await scan()
    assert.equal(
      left.match(/"data","\\"[\w+/=]{20,}\\""/g)?.length,
      1,
      'only the dead job keeps its payload',
    )
    assert.match(left, /TypeError/)
    assert.deepEqual(await queue.counts(), {
      waiting: 0,
      delayed: 0,
      running: 0,
      dead: 1,
      age: 0,
      paused: false,
    })
  })

  test('a finished job whose worker died before it reported is not done again', async (t) => {
    const url = newUrl()
    const store = await openJobs(t, url)
    const queue = new Queue('mail', store, { encrypter })
    await queue.push('x', { key: 'once' })
    const [job] = await store.claim('mail', 1, 1)
    assert.ok(job !== undefined)
    await wipe(server().url, `${new URL(url).searchParams.get('prefix')}queue:mail:${job.id}`)
    await sleep(2_500)
    const tally = await runQueue(queue, () => assert.fail('done twice'), { once: true })
    assert.equal(tally.done, 0)
    assert.deepEqual(await store.names(), [])
  })

  test('a wrong address is reported immediately and without its password', async () => {
    await assert.rejects(connectRedisJobs('redis://:hunter2@127.0.0.1:1/0'), (error: Error) => {
      assert.match(
        error.message,
        /no connection to redis:\/\/127\.0\.0\.1:1\/0: nothing is listening there/,
      )
      return !`${error.stack}`.includes('hunter2')
    })
  })
})

/** Every key that begins so, with all it holds. */
async function contents(url: string, prefix: string): Promise<string> {
  const client = new Client(url)
  try {
    const parts: unknown[] = []
    for (const key of await client.keys(`${prefix}*`)) {
      const type = await client.type(key)
      parts.push(key)
      if (type === 'hash') parts.push(await client.call('HGETALL', key))
      else if (type === 'list') parts.push(await client.lrange(key, 0, -1))
      else if (type === 'zset') parts.push(await client.call('ZRANGE', key, '0', '-1'))
      else if (type === 'stream') parts.push(await client.xrange(key, '-', '+'))
      else if (type === 'string') parts.push(await client.get(key))
      else if (type === 'set') parts.push(await client.smembers(key))
      else parts.push(assert.fail(`a ${type} was not looked at`))
    }
    return JSON.stringify(parts)
  } finally {
    client.disconnect()
  }
}

async function wipe(url: string, key: string): Promise<void> {
  const client = new Client(url)
  await client.hset(key, 'data', '""')
  client.disconnect()
}
