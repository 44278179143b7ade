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

function snapshot(): Snapshot {
  const registry = new Observability(false)
  const requests = new Counter('http_requests_total', { help: 'Requests served.' })
  requests.with({ route: '/users/:id', method: 'GET' }).increment(3)
  requests.with({ route: '/say/"hi"\\\n', method: 'POST' }).increment(0.5)
  const inFlight = new Gauge('http_requests_in_flight', { labels: { pid: '7' } })
  inFlight.set(-2)
  const duration = new Histogram('http_request_duration_seconds', {
    help: 'Duration in seconds.\nA back\\slash.',
    labels: { zone: 'z' },
    buckets: [0.1, 1, 10],
  })
  for (const value of [0.05, 0.5, 0.75, 20]) duration.observe(value)
  const oldest = new Gauge('oldest_seconds', { help: 'Oldest.', merge: 'max' })
  oldest.set(1.5)
  registry.metrics.push(requests, inFlight, duration, oldest)
  const gathered = registry.gather()
  gathered.timestamp = 1_700_000_000.5
  return gathered
}

test('JSON: {timestamp, metrics}, one line, newline-terminated, floats preserved', () => {
  assert.equal(
    new Exporters.JSON().export(snapshot()),
    `{"timestamp":1700000000.5,"metrics":{` +
      `"http_requests_total":{"type":"counter","help":"Requests served.","series":[` +
      `{"labels":{"method":"GET","route":"/users/:id"},"value":3},` +
      `{"labels":{"method":"POST","route":"/say/\\"hi\\"\\\\\\n"},"value":0.5}]},` +
      `"http_requests_in_flight":{"type":"gauge","help":"","series":[{"labels":{"pid":"7"},"value":-2}]},` +
      `"http_request_duration_seconds":{"type":"histogram",` +
      `"help":"Duration in seconds.\\nA back\\\\slash.","series":[{"labels":{"zone":"z"},` +
      `"buckets":{"0.1":1,"1":3,"10":3,"+Inf":4},"sum":21.3,"count":4}]},` +
      `"oldest_seconds":{"type":"gauge","help":"Oldest.","merge":"max",` +
      `"series":[{"labels":{},"value":1.5}]}}}\n`,
  )
})

const exposition = String.raw`# HELP http_requests_total Requests served.
# TYPE http_requests_total counter
http_requests_total{method="GET",route="/users/:id"} 3
http_requests_total{method="POST",route="/say/\"hi\"\\\n"} 0.5
# TYPE http_requests_in_flight gauge
http_requests_in_flight{pid="7"} -2
# HELP http_request_duration_seconds Duration in seconds.\nA back\\slash.
# TYPE http_request_duration_seconds histogram
http_request_duration_seconds_bucket{zone="z",le="0.1"} 1
http_request_duration_seconds_bucket{zone="z",le="1"} 3
http_request_duration_seconds_bucket{zone="z",le="10"} 3
http_request_duration_seconds_bucket{zone="z",le="+Inf"} 4
http_request_duration_seconds_sum{zone="z"} 21.3
http_request_duration_seconds_count{zone="z"} 4
# HELP oldest_seconds Oldest.
# TYPE oldest_seconds gauge
oldest_seconds 1.5
`

test('Prometheus: HELP and TYPE, one sample per series, histograms expanded', () => {
  const exporter = new Exporters.Prometheus()
  assert.equal(exporter.export(snapshot()), exposition)
  assert.equal([...exporter.chunks(snapshot())].join(''), exposition)
  assert.equal(exporter.contentType, 'text/plain; version=0.0.4; charset=utf-8')
})

test('Prometheus: the namespace prefixes every metric name', () => {
  const prefixed = exposition
    .replaceAll(/^(?!#)/gm, 'shop_')
    .replaceAll(/^(# [A-Z]+ )/gm, '$1shop_')
    .slice(0, -'shop_'.length)
  assert.equal(new Exporters.Prometheus({ namespace: 'shop' }).export(snapshot()), prefixed)
})

test('OpenMetrics 1.0: families without _total, units, canonical bounds and the EOF marker', () => {
  const exporter = new Exporters.OpenMetrics()
  assert.equal(
    exporter.export(snapshot()),
    String.raw`# TYPE http_requests counter
# HELP http_requests Requests served.
http_requests_total{method="GET",route="/users/:id"} 3
http_requests_total{method="POST",route="/say/\"hi\"\\\n"} 0.5
# TYPE http_requests_in_flight gauge
http_requests_in_flight{pid="7"} -2
# TYPE http_request_duration_seconds histogram
# UNIT http_request_duration_seconds seconds
# HELP http_request_duration_seconds Duration in seconds.\nA back\\slash.
http_request_duration_seconds_bucket{zone="z",le="0.1"} 1
http_request_duration_seconds_bucket{zone="z",le="1.0"} 3
http_request_duration_seconds_bucket{zone="z",le="10.0"} 3
http_request_duration_seconds_bucket{zone="z",le="+Inf"} 4
http_request_duration_seconds_sum{zone="z"} 21.3
http_request_duration_seconds_count{zone="z"} 4
# TYPE oldest_seconds gauge
# UNIT oldest_seconds seconds
# HELP oldest_seconds Oldest.
oldest_seconds 1.5
# EOF
`,
  )
  assert.equal(exporter.contentType, 'application/openmetrics-text; version=1.0.0; charset=utf-8')
})

test('OTLP: sums, gauges and de-cumulated histograms, 64-bit fields as strings', () => {
  const exporter = new Exporters.OTLP({
    service: 'shop',
    scope: 'shop.web',
    instance: 'i-1',
    start: 1_600_000_000,
  })
  const span = `"startTimeUnixNano":"1600000000000000000","timeUnixNano":"1700000000500000000"`
  assert.equal(
    exporter.export(snapshot()),
    `{"resourceMetrics":[{"resource":{"attributes":[` +
      `{"key":"service.name","value":{"stringValue":"shop"}},` +
      `{"key":"service.instance.id","value":{"stringValue":"i-1"}}]},` +
      `"scopeMetrics":[{"scope":{"name":"shop.web"},"metrics":[` +
      `{"name":"http_requests_total","description":"Requests served.","sum":{"dataPoints":[` +
      `{"attributes":[{"key":"method","value":{"stringValue":"GET"}},` +
      `{"key":"route","value":{"stringValue":"/users/:id"}}],${span},"asDouble":3},` +
      `{"attributes":[{"key":"method","value":{"stringValue":"POST"}},` +
      `{"key":"route","value":{"stringValue":"/say/\\"hi\\"\\\\\\n"}}],${span},"asDouble":0.5}],` +
      `"aggregationTemporality":2,"isMonotonic":true}},` +
      `{"name":"http_requests_in_flight","description":"","gauge":{"dataPoints":[` +
      `{"attributes":[{"key":"pid","value":{"stringValue":"7"}}],` +
      `"timeUnixNano":"1700000000500000000","asDouble":-2}]}},` +
      `{"name":"http_request_duration_seconds","description":"Duration in seconds.\\nA back\\\\slash.",` +
      `"histogram":{"dataPoints":[{"attributes":[{"key":"zone","value":{"stringValue":"z"}}],${span},` +
      `"count":"4","sum":21.3,"bucketCounts":["1","2","0","1"],"explicitBounds":[0.1,1,10]}],` +
      `"aggregationTemporality":2}},` +
      `{"name":"oldest_seconds","description":"Oldest.","gauge":{"dataPoints":[` +
      `{"attributes":[],"timeUnixNano":"1700000000500000000","asDouble":1.5}]}}]}]}]}`,
  )
})

test('OTLP: the defaults are neutral names', () => {
  const [{ resource, scopeMetrics }] = JSON.parse(
    new Exporters.OTLP().export(snapshot()),
  ).resourceMetrics
  assert.deepEqual(resource.attributes[0], {
    key: 'service.name',
    value: { stringValue: 'framework' },
  })
  assert.equal(scopeMetrics[0].scope.name, 'framework.observability')
})

test('a non-finite value: Prometheus writes it, OTLP leaves its series out', () => {
  const registry = new Observability(false)
  for (const value of [NaN, Infinity, -Infinity, 1]) {
    registry.metrics.push(new Gauge('g', { labels: { at: String(value) }, observe: () => value }))
  }
  assert.equal(
    registry.export(new Exporters.Prometheus()),
    '# TYPE g gauge\ng{at="NaN"} NaN\ng{at="Infinity"} +Inf\ng{at="-Infinity"} -Inf\ng{at="1"} 1\n',
  )
  const [{ scopeMetrics }] = JSON.parse(registry.export(new Exporters.OTLP())).resourceMetrics
  assert.equal(scopeMetrics[0].metrics[0].gauge.dataPoints.length, 1)
})
