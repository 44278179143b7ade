import assert from 'node:assert/strict'
import { test } from 'node:test'
import type { HistogramSeries } from '../metric.ts'
import { Histogram } from '../instruments/histogram.ts'
import { Observability } from '../observability.ts'
import { Snapshot } from '../snapshot.ts'
import { JsonExporter } from './json.ts'
import { OpenMetricsExporter } from './open-metrics.ts'
import { PrometheusExporter } from './prometheus.ts'

const span = { traceId: '4bf92f3577b34da6a3ce929d0e0e4736', spanId: '00f067aa0ba902b7' }
const other = { traceId: 'a'.repeat(32), spanId: 'b'.repeat(16) }

function seriesOf(snapshot: Snapshot): HistogramSeries | undefined {
  const metric = snapshot.metrics['wait_seconds']
  return metric?.type === 'histogram' ? metric.series[0] : undefined
}

function measured(...observations: Parameters<Histogram['observe']>[]): Snapshot {
  const observability = new Observability(false)
  const wait = new Histogram('wait_seconds', { buckets: [1, 5] })
  observability.metrics.push(wait)
  for (const [value, exemplar] of observations) wait.observe(value, exemplar)
  return observability.gather()
}

test('a histogram keeps the newest exemplar of each bucket, and none unless it is given one', () => {
  assert.equal(seriesOf(measured([0.5]))?.exemplars, undefined)
  const { exemplars = {} } = seriesOf(measured([0.5, other], [0.7, span], [0.9], [9, span])) ?? {}
  assert.deepEqual(Object.keys(exemplars), ['1', '+Inf'])
  assert.equal(exemplars['1']?.value, 0.7)
  assert.equal(exemplars['1'].traceId, span.traceId)
})

test('only OpenMetrics shows them', () => {
  const snapshot = measured([0.5], [2, span])
  const at = seriesOf(snapshot)?.exemplars?.['5']?.timestamp
  const lines = new OpenMetricsExporter().export(snapshot).split('\n')
  assert.deepEqual(lines.slice(2, 5), [
    'wait_seconds_bucket{le="1.0"} 1',
    `wait_seconds_bucket{le="5.0"} 2 # {trace_id="${span.traceId}",span_id="${span.spanId}"} 2 ${at}`,
    'wait_seconds_bucket{le="+Inf"} 2',
  ])
  assert.ok(!new PrometheusExporter().export(snapshot).includes('trace_id'))
})

test('they pass through the files of workers', () => {
  const exporter = new JsonExporter({ exactSums: true })
  for (const snapshot of [measured([2, other]), measured([2, span], [9, span])]) {
    const read = Snapshot.import(JSON.parse(exporter.export(snapshot)))
    assert.deepEqual(seriesOf(read), seriesOf(snapshot))
  }
})

test('of several workers the newest one of each bucket counts', () => {
  const [first, second] = [measured([0.5, other], [2, other]), measured([2, span])]
  const older = seriesOf(first)?.exemplars?.['5']
  const newer = seriesOf(second)?.exemplars?.['5']
  assert.ok(older !== undefined && newer !== undefined)
  Object.assign(newer, { timestamp: older.timestamp + 1 })
  for (const merged of [
    new Snapshot(0).merge(first).merge(second),
    new Snapshot(0).merge(second).merge(first),
  ]) {
    const { exemplars = {} } = seriesOf(merged) ?? {}
    assert.equal(exemplars['1']?.traceId, other.traceId)
    assert.equal(exemplars['5']?.traceId, span.traceId)
  }
})

test('what is no exemplar of the series is left out of a document', () => {
  const text = new JsonExporter().export(measured([2, span]))
  for (const [from, to] of [
    [span.traceId, 'no id'],
    [span.spanId, 'no"id'.replace('"', '')],
    ['["5"', '["7"'],
    ['"exemplars":[[', '"exemplars":[7,['],
  ] as const) {
    const { exemplars } = seriesOf(Snapshot.import(JSON.parse(text.replace(from, to)))) ?? {}
    assert.equal(exemplars === undefined, from !== '"exemplars":[[', from)
  }
})
