import assert from 'node:assert/strict'
import { test } from 'node:test'
import { setFlagsFromString } from 'node:v8'
import { runInNewContext } from 'node:vm'
import { Counter, Gauge, Histogram, Observability } from '../../src/public/observability.ts'

test('Counter: name, help, labels, observe; monotonic; a negative delta throws', () => {
  const counter = new Counter('orders_total', { help: 'Orders.', labels: { shop: 'a' } })
  counter.increment()
  counter.increment(2)
  counter.increment(0.5)
  assert.deepEqual(counter.read(), { labels: { shop: 'a' }, value: 3.5 })
  assert.throws(() => counter.increment(-1), { name: 'InvalidArgumentException' })
  assert.equal(counter.read().value, 3.5)
})

test('Gauge: set, increment and decrement, in both directions', () => {
  const gauge = new Gauge('depth', { help: 'Depth.', labels: { queue: 'mail' } })
  gauge.set(1.5)
  gauge.increment()
  gauge.increment(2)
  gauge.decrement()
  gauge.decrement(10)
  assert.deepEqual(gauge.read(), { labels: { queue: 'mail' }, value: -6.5 })
})

test('Histogram: cumulative buckets with a +Inf total, sum and count; 0.005 to 10 by default', () => {
  assert.deepEqual(Histogram.BUCKETS, [0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1, 2.5, 5, 10])
  const histogram = new Histogram('duration_seconds', { help: 'Duration.', labels: { a: 'b' } })
  for (const value of [0.001, 0.005, 0.3, 7, 11]) histogram.observe(value)
  assert.deepEqual(histogram.read(), {
    labels: { a: 'b' },
    buckets: {
      '0.005': 2,
      '0.01': 2,
      '0.025': 2,
      '0.05': 2,
      '0.1': 2,
      '0.25': 2,
      '0.5': 3,
      '1': 3,
      '2.5': 3,
      '5': 3,
      '10': 4,
      '+Inf': 5,
    },
    sum: 0.001 + 0.005 + 0.3 + 7 + 11,
    count: 5,
  })
})

test('an observable instrument pulls the live value at snapshot time', () => {
  const registry = new Observability(false)
  let bytes = 1
  let connections = 5
  registry.metrics
    .push(new Counter('http_bytes_read_total', { observe: () => bytes }))
    .push(new Gauge('connections', { observe: () => connections }))
  registry.gather()
  bytes = 100
  connections = 2
  const { metrics } = registry.gather()
  assert.deepEqual(metrics['http_bytes_read_total']?.series, [{ labels: {}, value: 100 }])
  assert.deepEqual(metrics['connections']?.series, [{ labels: {}, value: 2 }])
})

test('the same name with different labels are distinct series', () => {
  const registry = new Observability(false)
  const [a, b] = [{ shop: 'a' }, { shop: 'b' }].map(
    (labels) => new Counter('orders_total', { labels }),
  )
  assert.ok(a !== undefined && b !== undefined)
  registry.metrics.push(a).push(b)
  a.increment(1)
  b.increment(2)
  assert.deepEqual(registry.gather().metrics['orders_total']?.series, [
    { labels: { shop: 'a' }, value: 1 },
    { labels: { shop: 'b' }, value: 2 },
  ])
})

test('100,000 distinct label values leave bounded memory, one overflow series and one warning', () => {
  setFlagsFromString('--expose-gc')
  const collectGarbage: () => void = runInNewContext('gc')
  const warnings: string[] = []
  const onOverflow = (name: string): void => void warnings.push(name)
  const requests = new Counter('requests_total', { onOverflow })
  const durations = new Histogram('duration_seconds', { onOverflow })
  const visit = (from: number, to: number): void => {
    for (let at = from; at < to; at++) {
      const labels = { path: `/some/longer/path/${at}`, method: 'GET' }
      requests.with(labels).increment()
      durations.with(labels).observe(1)
    }
  }
  visit(0, 5_000)
  collectGarbage()
  const before = process.memoryUsage().heapUsed
  visit(5_000, 100_000)
  collectGarbage()
  const grown = process.memoryUsage().heapUsed - before
  assert.ok(grown < 1_000_000, `${grown} bytes more`)
  assert.deepEqual(warnings, ['requests_total', 'duration_seconds'])
  const overflow = requests.members().filter(({ labels }) => labels['overflow'] === 'true')
  assert.deepEqual(
    overflow.map((member) => member.read()),
    [{ labels: { overflow: 'true' }, value: 99_000 }],
  )
  assert.equal(requests.members().length, 1_001)
})
