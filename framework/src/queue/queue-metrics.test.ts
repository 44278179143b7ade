import assert from 'node:assert/strict'
import { createSecretKey, randomBytes } from 'node:crypto'
import { test } from 'node:test'
import { setImmediate } from 'node:timers/promises'
import { Encrypter } from '../base/crypto/encrypter.ts'
import { createThrowables } from '../errors/throwables/throwables.ts'
import { Observability } from '../metrics/observability.ts'
import { measureQueue } from './queue-metrics.ts'
import { MemoryJobs } from './memory-jobs.ts'
import { Queue } from './queue.ts'

const encrypter = new Encrypter([createSecretKey(randomBytes(32))], 'queue')

function valuesOf(registry: Observability): Readonly<Record<string, number>> {
  const values: Record<string, number> = {}
  for (const [name, metric] of Object.entries(registry.gather().metrics)) {
    if (metric.type === 'histogram') continue
    for (const { labels, value } of metric.series) {
      values[`${name} ${Object.values(labels).join(' ')}`] = value
    }
  }
  return values
}

test('depth by state and age of the first waiting job are gauges that do not add up', async () => {
  let now = 1_000
  const store = new MemoryJobs({ clock: () => now })
  const queue = new Queue('mail', store, { encrypter })
  const registry = new Observability(false)
  const measurement = measureQueue(queue, { registry })
  for (const text of ['a', 'b']) await queue.push(text)
  await queue.push('later', { delay: 100 })
  now += 7
  await measurement.look()
  assert.deepEqual(valuesOf(registry), {
    'queue_depth mail waiting': 2,
    'queue_depth mail delayed': 1,
    'queue_depth mail running': 0,
    'queue_depth mail dead': 0,
    'queue_age_seconds mail': 7,
    'queue_jobs_total ': 0,
  })
  const { queue_depth: depth } = registry.gather().metrics
  assert.equal(depth?.type === 'gauge' && depth.merge, 'max')
  measurement.close()
})

test('two queues of a registry share their instruments', async () => {
  const registry = new Observability(false)
  const store = new MemoryJobs()
  for (const name of ['mail', 'image']) {
    const measurement = measureQueue(new Queue(name, store, { encrypter }), { registry })
    await measurement.look()
    measurement.close()
  }
  const { queue_depth: depth } = registry.gather().metrics
  assert.equal(depth?.series.length, 8)
})

test('a store that fails is reported once, and again after it has worked', async () => {
  const store = new MemoryJobs()
  const counts = store.counts.bind(store)
  const throwables = createThrowables()
  const reports: unknown[] = []
  throwables.reporters.push((error) => reports.push(error))
  const registry = new Observability(false)
  const measurement = measureQueue(new Queue('mail', store, { encrypter }), {
    registry,
    throwables,
  })
  await measurement.look()
  for (let outage = 1; outage <= 2; outage++) {
    store.counts = () => Promise.reject(new Error('away'))
    for (let time = 0; time < 3; time++) await measurement.look()
    assert.equal(reports.length, outage)
    store.counts = counts
    await measurement.look()
  }
  measurement.close()
})

for (const [tookMs, expected] of [
  [0, 5],
  [40, 5],
  [100, 10],
  [4_000, 100],
] as const) {
  test(`a count that takes ${tookMs} ms is repeated every ${expected} s until closed, and soon when it failed`, async (t) => {
    t.mock.timers.enable({ apis: ['setTimeout'] })
    let nowMs = 0
    t.mock.method(performance, 'now', () => nowMs)
    const store = new MemoryJobs()
    const counts = store.counts.bind(store)
    let looks = 0
    store.counts = async (queue) => {
      looks += 1
      nowMs += tookMs
      return looks === 2 ? Promise.reject(new Error('away')) : counts(queue)
    }
    const options = { registry: new Observability(false), throwables: createThrowables() }
    const measurement = measureQueue(new Queue('mail', store, { encrypter }), {
      ...options,
      interval: 5,
    })
    const after = async (seconds: number): Promise<number> => {
      await setImmediate()
      t.mock.timers.tick(seconds * 1_000)
      await setImmediate()
      return looks
    }
    assert.deepEqual([await after(expected - 1), await after(1), await after(5)], [1, 2, 3])
    measurement.close()
    assert.equal(await after(1_000), 3)
  })
}
