import assert from 'node:assert/strict'
import { test } from 'node:test'
import { createThrowables } from '../../src/errors/throwables/throwables.ts'
import {
  Counter,
  Exporters,
  Gauge,
  Histogram,
  Observability,
} from '../../src/public/observability.ts'
import { StepKinds } from '../../src/activity/step.ts'
import { Steps } from '../../src/activity/steps.ts'
import { StepMetrics } from '../../src/metrics/step-metrics.ts'
import { QueueMetrics } from '../../src/queue/queue-metrics.ts'
import { RouteDurations } from '../../src/http/observability/telemetry-metrics.ts'
import { findPromtool } from '../support/promtool.ts'

const promtool = findPromtool()
const { skip } = promtool

test('promtool accepts everything a registry can contain', { skip }, (t) => {
  const registry = new Observability()
  t.after(() => registry.close())
  const hostile = '"quoted" \\ back\\slash \n new line, {braces} # hash \t ü 💥 \u0000 \ud800'
  const requests = new Counter('http_requests_total', { help: hostile, cap: 2 })
  for (const path of ['/', hostile, '', '/over']) requests.with({ path, method: 'GET' }).increment()
  const duration = new Histogram('http_request_duration_seconds', { help: 'Duration.' })
  for (const value of [0, 0.005, 0.2, 99]) duration.with({ route: hostile }).observe(value)
  const delta = new Histogram('delta_celsius', {
    help: 'Delta.',
    buckets: [-1, -0.5, 1e-7, 1e6, 1e21],
  })
  delta.observe(-7.25)
  registry.metrics.push(requests, duration, delta)
  for (const [name, value] of [
    ['not', NaN],
    ['most', Infinity],
    ['least', -Infinity],
    ['small', 5e-324],
    ['large', Number.MAX_VALUE],
    ['whole', 2 ** 53],
  ] as const) {
    const gauge = new Gauge(`${name}_items`, { help: 'A value.' })
    gauge.set(value)
    registry.metrics.push(gauge)
  }
  assert.equal(promtool.run(['check', 'metrics'], registry.export(new Exporters.Prometheus())), '')
  assert.equal(
    promtool.run(
      ['check', 'metrics'],
      registry.export(new Exporters.Prometheus({ namespace: 'shop' })),
    ),
    '',
  )
})

test(
  'promtool accepts what a server tells of its routes, statements, letters and jobs',
  { skip },
  () => {
    const registry = new Observability(false)
    const routes = new RouteDurations([{ method: 'GET', pattern: '/"quoted"/:id' }])
    routes.observe('GET', '/"quoted"/:id', 200, 0.02)
    routes.observe('BREW', null, 405, 0.02)
    routes.observe('GET', null, 0, 0.02)
    registry.metrics.push(routes.histogram)
    const steps = new Steps()
    const stop = StepMetrics.watch(registry, steps)
    for (const kind of Object.values(StepKinds)) {
      for (const failure of [null, 'E_ANY']) steps.begin(kind, 'name')?.end(0, failure)
    }
    stop()
    QueueMetrics.in(registry).count('mails', 'done', 0.5)
    const text = registry.export(new Exporters.Prometheus())
    assert.match(text, /^# TYPE db_client_operation_duration_seconds histogram$/m)
    assert.equal(promtool.run(['check', 'metrics'], text), '')
  },
)

test(
  'promtool finds no duplicate names when instruments would write samples of the same name',
  { skip },
  () => {
    const registry = new Observability(false, { throwables: createThrowables() })
    const help = 'Help.'
    registry.metrics.push(
      new Histogram('wait_seconds', { help }),
      new Counter('wait_seconds_count', { help }),
      new Counter('wait_seconds_sum', { help }),
      new Counter('wait_seconds_bucket', { help, labels: { le: '5' } }),
      new Histogram('wait_seconds_count', { help }),
      new Gauge('size_bytes_count', { help }),
      new Histogram('size_bytes', { help }),
      new Counter('wait_seconds_total', { help }),
    )
    const text = registry.export(new Exporters.Prometheus())
    const samples = text.split('\n').filter((line) => line !== '' && !line.startsWith('#'))
    const series = samples.map((line) => line.slice(0, line.lastIndexOf(' ')))
    assert.equal(new Set(series).size, series.length)
    // Only style warnings about names such as size_bytes_count, which are the point of this test.
    assert.match(
      promtool.run(['check', 'metrics'], text),
      /^status 3: (?:size_bytes_count [^\n]*\n?)+$/,
    )
  },
)

test('a counter without _total keeps its name in both text formats', () => {
  const registry = new Observability(false)
  registry.metrics.push(new Counter('jobs', { help: 'Jobs.' }), new Counter('mails_total'))
  for (const exporter of [new Exporters.Prometheus(), new Exporters.OpenMetrics()]) {
    const samples = registry.export(exporter).match(/^\w+ /gm)
    assert.deepEqual(samples, ['jobs ', 'mails_total '])
  }
})

test('promtool does find errors', { skip }, () => {
  assert.match(promtool.run(['check', 'metrics'], 'a{b="c} 1\n'), /status 1/)
  assert.match(
    promtool.run(['check', 'metrics'], '# HELP a A.\n# TYPE a counter\na 1\n'),
    /status 3/,
  )
})
