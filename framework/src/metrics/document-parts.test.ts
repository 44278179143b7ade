import assert from 'node:assert/strict'
import { test } from 'node:test'
import { documentParts } from './document-parts.ts'
import { JsonExporter } from './exporters/json.ts'
import type { Metric } from './metric.ts'
import { Snapshot } from './snapshot.ts'

// Texts that look like the places where a document is cut, if one does not look closely.
const traps = [
  '},{"labels":',
  ']},"a',
  ']},',
  '"series":[',
  '}}\n',
  '\\',
  '\\"},{"labels":',
  '{"timestamp":1,"metrics":{',
]

function counters(count: number, help: string): Metric {
  const series = Array.from({ length: count }, (_, at) => {
    return { labels: { at: String(at), trap: traps[at % traps.length] ?? '' }, value: at }
  })
  return { type: 'counter', help, series }
}

function rebuilt(text: string): Snapshot {
  const whole = new Snapshot(0)
  for (const part of documentParts(text)) whole.merge(Snapshot.import(JSON.parse(part)))
  return whole
}

function snapshotOf(metrics: Readonly<Record<string, Metric>>): Snapshot {
  const snapshot = new Snapshot(1_700_000_000.5)
  for (const [name, metric] of Object.entries(metrics)) snapshot.add(name, metric)
  return snapshot
}

test('the parts of a document together hold what it held, and none is large', () => {
  const few = traps.map((help, at) => [`few_${at}`, counters(at + 1, help)] as const)
  const bounds = { '0.5': 1, '1': 1, '+Inf': 3 }
  const histograms = Array.from({ length: 500 }, (_, at) => {
    return { labels: { at: String(at) }, buckets: bounds, sum: at, count: 3 }
  })
  const snapshot = snapshotOf({
    ...Object.fromEntries(few),
    many: counters(5_000, ']},"few_1":{"type"'),
    ...Object.fromEntries(few.map(([name, metric]) => [`:${name}`, metric])),
    size: { type: 'histogram', help: '', series: histograms },
    last: { type: 'gauge', help: '', merge: 'last', series: [{ labels: {}, value: 1 }] },
  })
  const text = new JsonExporter().export(snapshot)
  const parts = [...documentParts(text)]
  assert.ok(parts.length > text.length / 40_000, `${parts.length} parts`)
  for (const part of parts) assert.ok(part.length < 34_000, `${part.length} characters`)
  const { timestamp, metrics } = rebuilt(text)
  assert.equal(timestamp, snapshot.timestamp)
  assert.deepEqual(metrics, snapshot.metrics)
})

test('a document of many small metrics is cut between them', () => {
  const small = Array.from({ length: 2_000 }, (_, at) => [
    `m${at}`,
    counters(1, traps[at % 8] ?? ''),
  ])
  const snapshot = snapshotOf(Object.fromEntries(small))
  const text = new JsonExporter().export(snapshot)
  assert.ok([...documentParts(text)].length > 3)
  assert.deepEqual(rebuilt(text).metrics, snapshot.metrics)
})

test('the list of retired files is in the last part', () => {
  const snapshot = snapshotOf({ many: counters(2_000, ''), last: counters(1, '') })
  const text = new JsonExporter().export(snapshot)
  const retired = text.replace(/\}\n$/, ',"retired":["worker-1-7.json","worker-2-9.json"]}\n')
  const parts = [...documentParts(retired)].map((part) => JSON.parse(part))
  assert.ok(parts.length > 2)
  assert.deepEqual(parts.at(-1).retired, ['worker-1-7.json', 'worker-2-9.json'])
  assert.equal(parts.filter((part) => 'retired' in part).length, 1)
  assert.deepEqual(rebuilt(retired).metrics, snapshot.metrics)
})

test('a small document is one part, an empty one too', () => {
  for (const metrics of [{ a: counters(3, '') }, {}]) {
    const text = new JsonExporter().export(snapshotOf(metrics))
    const parts = [...documentParts(text)]
    assert.equal(parts.length, 1)
    assert.deepEqual(JSON.parse(parts[0] ?? ''), JSON.parse(text))
  }
})

test('a document that somebody else wrote comes back whole', () => {
  const { timestamp, metrics } = snapshotOf({ a: counters(2_000, '') })
  for (const text of [
    JSON.stringify({ timestamp, metrics }, null, 2),
    JSON.stringify({ metrics, timestamp }),
    JSON.stringify({ timestamp, metrics }),
    'text',
    '',
  ]) {
    assert.deepEqual([...documentParts(text)], [text])
  }
})
