import assert from 'node:assert/strict'
import { test } from 'node:test'
import { documentParts } from './document-parts.ts'
import { JsonExporter } from './exporters/json.ts'
import { readDocument } from './read-document.ts'
import type { SnapshotDocument } from './read-document.ts'
import { rereadDocuments } from './reread-documents.ts'
import { Snapshot } from './snapshot.ts'

/** A snapshot of several kinds and thousands of series whose numbers follow from one. */
function document(number: number, { series = 1_500, help = 'Jobs "done".' } = {}): string {
  const snapshot = new Snapshot(1_700_000_000.5 + number)
  const buckets = { '0.005': number, '1': number * 2, '2.5': number * 2, '10': number * 3 }
  const labelled = Array.from({ length: series }, (_, at) => ({ queue: `ü"${at}`, kind: 'slow' }))
  snapshot.add('jobs_total', {
    type: 'counter',
    help,
    series: labelled.map((labels, at) => ({ labels, value: number * at + 0.25 })),
  })
  snapshot.add('duration_seconds', {
    type: 'histogram',
    help: '',
    series: labelled.slice(0, 300).map((labels) => ({
      labels,
      buckets: { ...buckets, '+Inf': number * 4 },
      sum: number / 3,
      count: number * 4,
    })),
  })
  snapshot.add('depth', {
    type: 'gauge',
    help: 'Depth.',
    merge: 'max',
    series: [{ labels: {}, value: -number }],
  })
  return new JsonExporter().export(snapshot)
}

function parsed(text: string): SnapshotDocument[] {
  return [...documentParts(text)].map((part) => readDocument(JSON.parse(part)))
}

function reread(text: string, before: readonly SnapshotDocument[]): SnapshotDocument[] | null {
  const documents = [...rereadDocuments(text, before)]
  return documents.some((one) => one === null) ? null : documents.filter((one) => one !== null)
}

/** The series of documents, whichever of them they stand in. */
function seriesOf(documents: readonly SnapshotDocument[] | null): unknown {
  const merged = new Snapshot(0)
  for (const { timestamp, metrics } of documents ?? []) {
    for (const [name, metric] of metrics) merged.add(name, metric, timestamp)
  }
  return merged.metrics
}

test('a text with other numbers yields the same as parsing it', () => {
  const before = parsed(document(1))
  assert.ok(before.length > 3, 'the text is cut, in the middle of metrics too')
  for (const number of [1, 2, 1_000_000, 123_456_789]) {
    const text = document(number)
    const again = reread(text, before)
    assert.deepEqual(seriesOf(again), seriesOf(parsed(text)))
    assert.equal(again?.[0]?.timestamp, parsed(text)[0]?.timestamp)
  }
})

test('the labels of documents that are read again are the objects of the first time', () => {
  const before = parsed(document(1))
  const again = reread(document(2), before)
  const labels = (documents: readonly SnapshotDocument[] | null): unknown =>
    documents?.at(-1)?.metrics.at(-1)?.[1].series.at(-1)?.labels
  assert.equal(labels(again), labels(before))
})

test('a text with another series, name, help or form has to be parsed', () => {
  const before = parsed(document(1))
  const text = document(2)
  const others = [
    document(2, { series: 1_501 }),
    document(2, { series: 1_499 }),
    document(2, { help: 'Others.' }),
    text.replace('"slow"', '"fast"'),
    text.replace('duration_seconds', 'durations'),
    text.replace('"merge":"max",', ''),
    text.replace('"gauge"', '"counter"'),
    text.replace('}}\n', '},"retired":["worker-1-2.json"]}\n'),
    text.replace('"10":6', '"10":3'),
    text.replace('"count":8', '"count":9'),
    text.replace('"value":0.25', '"value":-0.25'),
    text.replace('"value":0.25', '"value":null'),
    text.slice(0, -1),
    `${text}\n`,
    `${text.slice(0, 500)}${text.slice(501)}`,
    '',
  ]
  for (const [at, other] of others.entries()) {
    assert.notEqual(other, text, `case ${at} changes something`)
    assert.equal(reread(other, before), null, `case ${at}`)
  }
})

test('whatever sign of a text is lost, no number is wrong', () => {
  const before = parsed(document(1, { series: 20 }))
  const text = document(21, { series: 20 })
  for (let at = 0; at < text.length; at += 1) {
    const cut = text.slice(0, at) + text.slice(at + 1)
    const again = reread(cut, before)
    if (again !== null) assert.deepEqual(seriesOf(again), seriesOf(parsed(cut)))
  }
})
