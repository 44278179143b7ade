import assert from 'node:assert/strict'
import { test } from 'node:test'
import {
  Counter,
  Exporters,
  Gauge,
  Histogram,
  Observability,
  type Snapshot,
} from '../../src/public/observability.ts'
import { decodeOtlp, overTheWire } from '../support/decode-otlp.ts'
import type { OtlpMetric, OtlpPoint } from '../support/decode-otlp.ts'

function fullSnapshot(): Snapshot {
  const registry = new Observability()
  const jobs = new Counter('jobs_total', { help: 'Jobs "done".' })
  for (const queue of ['mail', 'images', 'ü\n"']) jobs.with({ queue, node: '1' }).increment(2.5)
  const depth = new Gauge('depth', { help: 'Depth.' })
  depth.set(-3.25)
  const broken = new Gauge('broken')
  broken.set(NaN)
  const duration = new Histogram('duration_seconds', { help: 'Duration.' })
  for (const value of [0, 0.005, 0.2, 0.3, 99]) duration.with({ route: '/' }).observe(value)
  registry.metrics.push(jobs, depth, broken, duration, new Histogram('empty', { buckets: [] }))
  const snapshot = registry.gather()
  registry.close()
  return snapshot
}

/** The numbers of a request, in the shape of the JSON exporter. */
function numbersOf(metrics: readonly OtlpMetric[]): unknown {
  return Object.fromEntries(
    metrics.map(({ name, description: help, sum, gauge, histogram }) => {
      const type = sum ? 'counter' : gauge ? 'gauge' : 'histogram'
      const { dataPoints = [] } = sum ?? gauge ?? histogram ?? {}
      return [name, { type, help, series: dataPoints.map(seriesOf) }]
    }),
  )
}

function seriesOf(point: OtlpPoint): unknown {
  const { attributes = [], asDouble, bucketCounts, explicitBounds = [], sum, count } = point
  const labels = Object.fromEntries(attributes.map(({ key, value }) => [key, value.stringValue]))
  if (bucketCounts === undefined) return { labels, value: asDouble }
  let total = 0
  const bounds = [...explicitBounds.map(String), '+Inf']
  const buckets = bounds.map((bound, at) => [bound, (total += Number(bucketCounts[at]))])
  return { labels, buckets: Object.fromEntries(buckets), sum, count: Number(count) }
}

test('the strict decoder accepts the request and finds the numbers of the JSON exporter', () => {
  const snapshot = fullSnapshot()
  const metrics = decodeOtlp(new Exporters.OTLP().export(snapshot))
  const lenient = new Exporters.JSON({ skipNonFinite: true })
  assert.deepEqual(numbersOf(metrics), JSON.parse(lenient.export(snapshot)).metrics)
})

test('a round trip through the published protobuf definitions loses nothing', () => {
  const text = new Exporters.OTLP().export(fullSnapshot())
  const received = decodeOtlp(JSON.stringify(overTheWire(text)))
  assert.deepEqual(numbersOf(received), numbersOf(decodeOtlp(text)))
})

test('histogram points follow the rules of the protocol', () => {
  const points = decodeOtlp(new Exporters.OTLP().export(fullSnapshot())).flatMap(
    ({ histogram }) => histogram?.dataPoints ?? [],
  )
  assert.equal(points.length, 2)
  for (const { bucketCounts = [], explicitBounds = [], count, ...times } of points) {
    assert.equal(bucketCounts.length, explicitBounds.length + 1)
    const total = bucketCounts.reduce((sum, one) => sum + Number(one), 0)
    assert.equal(total, Number(count))
    assert.deepEqual(
      explicitBounds,
      [...new Set(explicitBounds)].toSorted((a, b) => a - b),
    )
    const { startTimeUnixNano = '', timeUnixNano = '' } = times
    assert.ok(BigInt(startTimeUnixNano) <= BigInt(timeUnixNano))
  }
})

test('the decoder rejects invalid requests', () => {
  const metric = (member: string): string =>
    `{"resourceMetrics":[{"scopeMetrics":[{"metrics":[{"name":"a",${member}}]}]}]}`
  const point = (member: string): string => metric(`"gauge":{"dataPoints":[{${member}}]}`)
  decodeOtlp(point('"asDouble":1,"timeUnixNano":"1"'))
  for (const [text, place] of [
    [metric('"help":"x"'), /metrics\[0\]\.help is no field of Metric/],
    [metric('"gauge":{},"sum":{}'), /a second data/],
    [metric('"gauge":[]'), /is no Gauge/],
    [metric('"sum":{"aggregationTemporality":"2"}'), /is no AggregationTemporality/],
    [metric('"sum":{"data_points":[]}'), /data_points is no field/],
    [metric('"histogram":{"dataPoints":[{"count":1}]}'), /count is no fixed64: 1/],
    [metric('"histogram":{"dataPoints":[{"bucketCounts":["1","-1"]}]}'), /\[1\] is no fixed64/],
    [point('"timeUnixNano":1'), /is no fixed64/],
    [point('"timeUnixNano":"1.5"'), /is no fixed64/],
    [point('"asDouble":"1"'), /is no double/],
    [point('"asDouble":1,"asInt":"1"'), /a second value/],
    [point('"attributes":{}'), /is no list/],
    [point('"attributes":[{"key":"a","value":"b"}]'), /is no AnyValue/],
  ] as const) {
    assert.throws(() => decodeOtlp(text), place)
  }
})
