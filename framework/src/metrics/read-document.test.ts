import assert from 'node:assert/strict'
import { test } from 'node:test'
import { Snapshot } from './snapshot.ts'

function importJson(text: string): Snapshot {
  return Snapshot.import(JSON.parse(text))
}

function importSeries(type: string, series: unknown): unknown[] {
  const document = { timestamp: 1, metrics: { a: { type, help: '', series } } }
  return Snapshot.import(document).metrics['a']?.series ?? []
}

test('a document is rebuilt as it was', () => {
  const document = {
    timestamp: 1_700_000_000.5,
    metrics: {
      jobs_total: {
        type: 'counter',
        help: 'Jobs.',
        series: [{ labels: { queue: 'mail' }, value: 3.5 }],
      },
      age: { type: 'gauge', help: '', merge: 'max', series: [{ labels: {}, value: -1 }] },
      size: {
        type: 'histogram',
        help: '',
        series: [{ labels: {}, buckets: { '0.5': 1, '1': 1, '+Inf': 3 }, sum: -2.5, count: 3 }],
      },
    },
  }
  const { timestamp, metrics } = Snapshot.import(document)
  assert.deepEqual({ timestamp, metrics }, document)
})

test('a document that is not a snapshot is rejected', () => {
  for (const document of [
    null,
    undefined,
    'text',
    7,
    [],
    {},
    { timestamp: 1 },
    { metrics: {} },
    { timestamp: '1', metrics: {} },
    { timestamp: null, metrics: {} },
    { timestamp: NaN, metrics: {} },
    { timestamp: 1, metrics: [] },
    { timestamp: 1, metrics: null },
  ]) {
    assert.throws(() => Snapshot.import(document), {
      name: 'InvalidArgumentException',
      code: 'E_SNAPSHOT',
    })
  }
})

test('metrics that make no sense are left out', () => {
  const good = { type: 'gauge', help: '', series: [{ labels: {}, value: 1 }] }
  const { metrics } = Snapshot.import({
    timestamp: 1,
    metrics: {
      good,
      'a-b': good,
      no_type: { ...good, type: 'summary' },
      no_series: { ...good, series: {} },
      empty: { ...good, series: [] },
      text: 'text',
      nothing: null,
      list: [good],
    },
  })
  assert.deepEqual(metrics, { good })
})

test('a help or a merge that makes no sense counts as none, and other members are left out', () => {
  const series = [{ labels: {}, value: 1, extra: 1 }]
  const metric = { type: 'gauge', help: 7, merge: 'average', series, extra: 1 }
  assert.deepEqual(Snapshot.import({ timestamp: 1, metrics: { a: metric } }).metrics, {
    a: { type: 'gauge', help: '', series: [{ labels: {}, value: 1 }] },
  })
})

test('series of values that make no sense are left out', () => {
  const good = { labels: { a: '1' }, value: 2 }
  const bad = [
    null,
    7,
    [],
    {},
    { labels: {}, value: '1' },
    { labels: {}, value: null },
    { labels: {}, value: Infinity },
    { labels: { a: 1 }, value: 1 },
    { labels: { 'a-b': '1' }, value: 1 },
    { labels: [], value: 1 },
    { value: 1 },
  ]
  assert.deepEqual(importSeries('gauge', [...bad, good]), [good])
  assert.deepEqual(importSeries('counter', [...bad, good, { labels: {}, value: -1 }]), [good])
})

test('histograms that make no sense are left out', () => {
  const good = { labels: {}, buckets: { '1': 1, '2.5': 3, '+Inf': 4 }, sum: 5, count: 4 }
  const bad = [
    { ...good, labels: { le: '1' } },
    { ...good, sum: '5' },
    { ...good, count: 5 },
    { ...good, count: '4' },
    { ...good, buckets: null },
    { ...good, buckets: { '1': 1, '2.5': 3 } },
    { ...good, buckets: { '1': 4, '2.5': 3, '+Inf': 4 } },
    { ...good, buckets: { '1': 1.5, '2.5': 3, '+Inf': 4 } },
    { ...good, buckets: { '1': -1, '2.5': 3, '+Inf': 4 } },
    { ...good, buckets: { '1.0': 1, '2.5': 3, '+Inf': 4 } },
    { ...good, buckets: { one: 1, '2.5': 3, '+Inf': 4 } },
    { ...good, buckets: { NaN: 1, '2.5': 3, '+Inf': 4 } },
    { ...good, buckets: { Infinity: 1, '2.5': 3, '+Inf': 4 } },
    { ...good, buckets: { '1': '1', '2.5': 3, '+Inf': 4 } },
  ]
  assert.deepEqual(importSeries('histogram', [...bad, good, ...bad]), [good])
})

test('histograms with other bounds than the first of their name are left out', () => {
  const one = { labels: { a: '1' }, buckets: { '1': 1, '+Inf': 1 }, sum: 1, count: 1 }
  const other = { labels: { a: '2' }, buckets: { '2': 1, '+Inf': 1 }, sum: 1, count: 1 }
  const third = { ...one, labels: { a: '3' } }
  assert.deepEqual(importSeries('histogram', [one, other, third]), [one, third])
})

test('series that stand twice in a document are one', () => {
  const series = [
    { labels: { a: '1' }, value: 1 },
    { labels: { a: '1' }, value: 2 },
  ]
  assert.deepEqual(importSeries('counter', series), [{ labels: { a: '1' }, value: 3 }])
})

test('no document reaches the prototype of anything', () => {
  const { metrics } = importJson(`{"timestamp":1,"__proto__":{"polluted":1},"metrics":{
    "__proto__":{"type":"gauge","help":"","series":[{"labels":{},"value":1}]},
    "constructor":{"type":"gauge","help":"","series":[
      {"labels":{"__proto__":"x"},"value":1},
      {"labels":{"prototype":"x"},"value":2,"__proto__":{"polluted":1}}]},
    "size":{"type":"histogram","help":"","series":[
      {"labels":{},"buckets":{"__proto__":1,"+Inf":1},"sum":1,"count":1}]}}}`)
  assert.deepEqual(Object.entries(metrics), [
    [
      'constructor',
      { type: 'gauge', help: '', series: [{ labels: { prototype: 'x' }, value: 2 }] },
    ],
  ])
  assert.equal(Object.getPrototypeOf(metrics), Object.prototype)
  assert.equal(Reflect.get({}, 'polluted'), undefined)
})

test('an imported snapshot does not share objects with its document', () => {
  const labels = { a: '1' }
  const document = {
    timestamp: 1,
    metrics: { a: { type: 'gauge', help: '', series: [{ labels, value: 1 }] } },
  }
  const { metrics } = Snapshot.import(document)
  labels.a = '2'
  document.metrics.a.series.push({ labels: { a: '3' }, value: 5 })
  assert.deepEqual(metrics['a']?.series, [{ labels: { a: '1' }, value: 1 }])
  assert.equal(Object.isFrozen(labels), false)
})
