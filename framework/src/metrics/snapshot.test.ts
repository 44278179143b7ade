import assert from 'node:assert/strict'
import { test } from 'node:test'
import type { Merges } from './metric.ts'
import type { Metric } from './metric.ts'
import { Snapshot } from './snapshot.ts'

function counter(
  ...values: readonly (readonly [labels: Record<string, string>, value: number])[]
): Metric {
  const series = values.map(([labels, value]) => ({ labels, value }))
  return { type: 'counter', help: 'Jobs.', series }
}

function gauge(merge: Merges, value: number): Metric {
  return { type: 'gauge', help: '', merge, series: [{ labels: {}, value }] }
}

function histogram(labels: Record<string, string>, buckets: Record<string, number>): Metric {
  const count = buckets['+Inf'] ?? 0
  return { type: 'histogram', help: '', series: [{ labels, buckets, sum: count / 2, count }] }
}

function snapshot(timestamp: number, metrics: Readonly<Record<string, Metric>>): Snapshot {
  const made = new Snapshot(timestamp)
  for (const [name, metric] of Object.entries(metrics)) made.add(name, metric)
  return made
}

test('a snapshot carries the time in epoch seconds', () => {
  const before = Date.now() / 1_000
  const { timestamp } = new Snapshot()
  assert.ok(timestamp >= before && timestamp <= Date.now() / 1_000)
})

test('merging adds up equal name and labels; other labels stand side by side', () => {
  const one = snapshot(10, { jobs_total: counter([{ queue: 'mail' }, 1], [{}, 5]) })
  const two = snapshot(12, {
    jobs_total: counter([{ queue: 'mail' }, 2], [{ queue: 'images' }, 4]),
    other_total: counter([{}, 1]),
  })
  assert.equal(one.merge(two), one)
  assert.deepEqual(one.metrics, {
    jobs_total: counter([{ queue: 'mail' }, 3], [{}, 5], [{ queue: 'images' }, 4]),
    other_total: counter([{}, 1]),
  })
  assert.equal(one.timestamp, 12)
  assert.equal(one.merge(new Snapshot(3)).timestamp, 12)
})

test('labels are equal in whatever order they stand', () => {
  const one = snapshot(1, { a_total: counter([{ x: '1', y: '2' }, 1]) })
  one.merge(snapshot(1, { a_total: counter([{ y: '2', x: '1' }, 2]) }))
  assert.deepEqual(one.metrics['a_total']?.series, [{ labels: { x: '1', y: '2' }, value: 3 }])
})

test('merging leaves the other snapshot as it was', () => {
  const two = snapshot(1, {
    jobs_total: counter([{ a: '1' }, 1]),
    size: histogram({}, { '+Inf': 2 }),
  })
  const before = structuredClone(two.metrics)
  const one = new Snapshot(1).merge(two).merge(two).merge(two)
  assert.deepEqual(two.metrics, before)
  assert.deepEqual(one.metrics['jobs_total'], counter([{ a: '1' }, 3]))
})

test('a snapshot merged with itself doubles', () => {
  const one = snapshot(1, { jobs_total: counter([{ a: '1' }, 1], [{ a: '2' }, 2]) })
  one.merge(one)
  assert.deepEqual(one.metrics['jobs_total'], counter([{ a: '1' }, 2], [{ a: '2' }, 4]))
})

test('histograms add buckets, sum and count', () => {
  const one = snapshot(1, { size: histogram({}, { '1': 1, '+Inf': 2 }) })
  one.merge(snapshot(1, { size: histogram({}, { '1': 3, '+Inf': 10 }) }))
  assert.deepEqual(one.metrics['size'], {
    type: 'histogram',
    help: '',
    series: [{ labels: {}, buckets: { '1': 4, '+Inf': 12 }, sum: 6, count: 12 }],
  })
})

test('another type or other buckets under a name are dropped, and the drops counted', () => {
  const one = snapshot(1, { a: counter([{}, 1]), size: histogram({}, { '1': 1, '+Inf': 2 }) })
  const before = structuredClone(one.metrics)
  const dropped = [
    one.add('a', { type: 'gauge', help: '', series: [{ labels: {}, value: 9 }] }),
    one.add('a', histogram({}, { '+Inf': 1 })),
    one.add('size', counter([{}, 1], [{ b: '1' }, 1])),
    one.add('size', histogram({}, { '2': 1, '+Inf': 2 })),
    one.add('size', histogram({ b: '1' }, { '+Inf': 2 })),
  ]
  assert.deepEqual(dropped, [1, 1, 2, 1, 1])
  assert.deepEqual(one.metrics, before)
})

test('the first of a name decides help and the way to merge', () => {
  const one = snapshot(1, { age: gauge('max', 3) })
  one.merge(snapshot(2, { age: { ...gauge('sum', 2), help: 'Other.' } }))
  assert.deepEqual(one.metrics['age'], gauge('max', 3))
})

for (const [merge, expected] of [
  ['sum', 12],
  ['max', 7],
  ['min', 2],
] as const) {
  test(`gauges that merge by ${merge} do so`, () => {
    const one = new Snapshot(0)
    for (const value of [3, 7, 2]) one.merge(snapshot(1, { age: gauge(merge, value) }))
    assert.deepEqual(one.metrics['age']?.series, [{ labels: {}, value: expected }])
  })
}

test('the last value is that of the newest snapshot, whichever order they come in', () => {
  const at = (timestamp: number): Snapshot => snapshot(timestamp, { age: gauge('last', timestamp) })
  for (const times of [
    [1, 2, 3],
    [3, 2, 1],
    [2, 3, 1],
    [1, 3, 2],
  ]) {
    const one = new Snapshot(0)
    for (const timestamp of times) one.merge(at(timestamp))
    assert.deepEqual(one.metrics['age']?.series, [{ labels: {}, value: 3 }], String(times))
  }
})

test('the age of a last value is its own, not that of the snapshot it was merged into', () => {
  const one = new Snapshot(0)
  one.merge(snapshot(10, { age: gauge('last', 10) }))
  one.merge(snapshot(30, { other: gauge('sum', 1) }))
  one.merge(snapshot(20, { age: gauge('last', 20) }))
  assert.deepEqual(one.metrics['age']?.series, [{ labels: {}, value: 20 }])
})

test('merging uses the current series, even after they were changed', () => {
  const one = snapshot(1, { jobs_total: counter([{ a: '1' }, 1], [{ a: '2' }, 2]) })
  one.merge(snapshot(1, { jobs_total: counter([{ a: '1' }, 1]) }))
  one.metrics['jobs_total']?.series.shift()
  one.merge(snapshot(1, { jobs_total: counter([{ a: '2' }, 5], [{ a: '1' }, 7]) }))
  assert.deepEqual(one.metrics['jobs_total'], counter([{ a: '2' }, 7], [{ a: '1' }, 7]))
  delete one.metrics['jobs_total']
  const others = { jobs_total: counter([{ a: '1' }, 1], [{ a: '3' }, 3]) }
  one.merge(snapshot(1, others))
  one.metrics['jobs_total'] = counter([{ a: '3' }, 5], [{ a: '4' }, 6])
  one.merge(snapshot(1, others))
  assert.deepEqual(
    one.metrics['jobs_total'],
    counter([{ a: '3' }, 8], [{ a: '4' }, 6], [{ a: '1' }, 1]),
  )
})

test('a metric that has the name of a member of every object is a metric', () => {
  const one = snapshot(1, { constructor: counter([{ toString: '1' }, 1]) })
  one.merge(snapshot(1, { constructor: counter([{ toString: '1' }, 1]) }))
  assert.deepEqual(Object.entries(one.metrics), [['constructor', counter([{ toString: '1' }, 2])]])
})

test('an invalid metric name is rejected', () => {
  for (const name of ['__proto__', 'a-b', '']) {
    assert.throws(() => new Snapshot().add(name, counter([{}, 1])), { code: 'E_METRIC_NAME' })
  }
})
