import assert from 'node:assert/strict'
import { hostname } from 'node:os'
import { test } from 'node:test'
import { Snapshot } from '../snapshot.ts'
import { OtlpExporter } from './otlp.ts'

test('series whose value is not finite are left out, and metrics without series', () => {
  const snapshot = new Snapshot(1)
  const values = [1, NaN, Infinity].map((value, at) => ({ labels: { at: `${at}` }, value }))
  snapshot.add('a', { type: 'gauge', help: '', series: values })
  snapshot.add('b', { type: 'gauge', help: '', series: values.slice(1) })
  const histogram = { labels: {}, buckets: { '+Inf': 1 }, sum: NaN, count: 1 }
  snapshot.add('c', { type: 'histogram', help: '', series: [histogram] })
  const document = JSON.parse(new OtlpExporter().export(snapshot))
  const { metrics } = document.resourceMetrics[0].scopeMetrics[0]
  assert.deepEqual(
    metrics.map(({ name }: { name: string }) => name),
    ['a'],
  )
  assert.deepEqual(metrics[0].gauge.dataPoints.length, 1)
  assert.equal(new OtlpExporter().export(new Snapshot(NaN)), '')
})

test('times are exact to the microsecond and texts', () => {
  const snapshot = new Snapshot(1_700_000_000.123456)
  snapshot.add('a_total', { type: 'counter', help: '', series: [{ labels: {}, value: 1 }] })
  const document = JSON.parse(new OtlpExporter({ start: 1_600_000_000.5 }).export(snapshot))
  const [point] = document.resourceMetrics[0].scopeMetrics[0].metrics[0].sum.dataPoints
  assert.equal(point.timeUnixNano, '1700000000123456000')
  assert.equal(point.startTimeUnixNano, '1600000000500000000')
})

test('by default counting starts with the process, and the host name is the instance', () => {
  const snapshot = new Snapshot(1)
  snapshot.add('a_total', { type: 'counter', help: '', series: [{ labels: {}, value: 1 }] })
  const [{ resource, scopeMetrics }] = JSON.parse(
    new OtlpExporter().export(snapshot),
  ).resourceMetrics
  const [point] = scopeMetrics[0].metrics[0].sum.dataPoints
  assert.equal(point.startTimeUnixNano, `${Math.round(performance.timeOrigin * 1e3)}000`)
  assert.deepEqual(resource.attributes, [
    { key: 'service.name', value: { stringValue: 'framework' } },
    { key: 'service.instance.id', value: { stringValue: hostname() } },
  ])
})
