import assert from 'node:assert/strict'
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { test } from 'node:test'
import type { TestContext } from 'node:test'
import { countAuthEvents } from '../../src/accounts/auth-audit.ts'
import { countSecurityEvents } from '../../src/accounts/security-log.ts'
import { Emitter } from '../../src/events/emitter.ts'
import { StepKinds } from '../../src/activity/step.ts'
import { Steps } from '../../src/activity/steps.ts'
import { Observability } from '../../src/metrics/observability.ts'
import { StepMetrics } from '../../src/metrics/step-metrics.ts'
import { QueueMetrics } from '../../src/queue/queue-metrics.ts'
import { ScheduleMetrics } from '../../src/schedule/schedule-metrics.ts'
import { RouteDurations } from '../../src/http/observability/telemetry-metrics.ts'
import { Telemetry } from '../../src/http/observability/telemetry.ts'
import { metricsIn } from '../support/promql-metrics.ts'
import { findPromtool } from '../support/promtool.ts'

const docs = join(import.meta.dirname, '..', '..', '..', 'docs')
const alerts = join(docs, 'prometheus', 'alerts.yml')
const dashboard = join(docs, 'grafana', 'dashboard.json')
const promtool = findPromtool()
const { skip } = promtool

/** The names under which Prometheus stores the framework's metrics, and its own `up`. */
function storedNames(t: TestContext): ReadonlySet<string> {
  const registry = new Observability()
  t.after(() => registry.close())
  new Telemetry(registry, { emitter: new Emitter() }).boot()
  countAuthEvents(registry)
  countSecurityEvents(registry)
  registry.metrics.push(new RouteDurations([]).histogram)
  QueueMetrics.in(registry).count('mails', 'done', 1)
  ScheduleMetrics.in(registry).show('sweep', 1, 0)
  const steps = new Steps()
  t.after(StepMetrics.watch(registry, steps))
  for (const kind of Object.values(StepKinds)) steps.begin(kind, 'any')?.end(0, null)
  // Registered on first use.
  assert.equal(registry.exceptions.name, 'exceptions_total')
  const names = Object.entries(registry.gather().metrics).flatMap(([name, { type }]) =>
    type === 'histogram' ? ['bucket', 'sum', 'count'].map((part) => `${name}_${part}`) : [name],
  )
  // These two come from the sockets of a server.
  return new Set([...names, 'http_bytes_read_total', 'http_bytes_written_total', 'up'])
}

/** Every string under the key, at any depth. */
function textsUnder(value: unknown, key: string): string[] {
  if (typeof value !== 'object' || value === null) return []
  return Object.entries(value).flatMap(([name, member]) =>
    name === key && typeof member === 'string' ? [member] : textsUnder(member, key),
  )
}

/** The queries of the dashboard, with its variables replaced. */
function dashboardQueries(): string[] {
  const queries = textsUnder(JSON.parse(readFileSync(dashboard, 'utf8')), 'expr')
  return queries.map((query) =>
    query.replaceAll('$__rate_interval', '1m').replaceAll(/\$(job|instance)\b/g, 'x'),
  )
}

function alertQueries(): string[] {
  const inline = /^ {8}expr: ([^|\n].*)$/gm
  const block = /^ {8}expr: \|\n((?: {10}.*\n)+)/gm
  const text = readFileSync(alerts, 'utf8')
  return [...text.matchAll(inline), ...text.matchAll(block)].map(([, query = '']) => query)
}

function writeFile(t: TestContext, content: unknown): string {
  const folder = mkdtempSync(join(tmpdir(), 'framework-promtool-'))
  t.after(() => rmSync(folder, { recursive: true }))
  const file = join(folder, 'rules.yml')
  // JSON is valid YAML.
  writeFileSync(file, JSON.stringify(content))
  return file
}

test('metrics are found in queries, and PromQL keywords are not mistaken for them', () => {
  const query = `histogram_quantile(0.99, sum by (le, a_label) (rate(b_bucket{c="d_total"}[5m])))
    / on (e) group_left (f) g_total offset 5m > 1e3 and h:i_rate or sum(j) unless vector(1) == bool 2`
  assert.deepEqual(metricsIn(query), ['b_bucket', 'g_total', 'h:i_rate', 'j'])
})

test('every metric in an alert exists in the framework', (t) => {
  const names = storedNames(t)
  const queries = alertQueries()
  assert.equal(queries.length, 15)
  const used = new Set(queries.flatMap(metricsIn))
  assert.ok(used.size >= 8)
  assert.deepEqual(
    [...used].filter((name) => !names.has(name)),
    [],
  )
})

test('every metric on the dashboard exists in the framework', (t) => {
  const names = storedNames(t)
  const used = new Set(dashboardQueries().flatMap(metricsIn))
  assert.ok(used.size > 15)
  assert.deepEqual(
    [...used].filter((name) => !names.has(name)),
    [],
  )
})

test('the panels of the dashboard have unique ids and do not overlap', () => {
  const { panels } = JSON.parse(readFileSync(dashboard, 'utf8'))
  const ids = new Set<number>()
  const taken = new Set<string>()
  for (const { id, gridPos } of panels) {
    assert.ok(!ids.has(id), `panel ${id} is there twice`)
    ids.add(id)
    assert.ok(gridPos.x + gridPos.w <= 24)
    for (let y = gridPos.y; y < gridPos.y + gridPos.h; y++) {
      for (let x = gridPos.x; x < gridPos.x + gridPos.w; x++) {
        assert.ok(!taken.has(`${x} ${y}`), `panel ${id} lies on another`)
        taken.add(`${x} ${y}`)
      }
    }
  }
})

test('the dashboard has a table of routes with rate, percentiles and errors', () => {
  const { panels } = JSON.parse(readFileSync(dashboard, 'utf8'))
  const table = panels.find(({ type }: { type: string }) => type === 'table')
  const columns = table.transformations[1].options.renameByName
  assert.deepEqual(Object.values(columns), ['Method', 'Route', 'Rate', 'p50', 'p99', 'Errors'])
  for (const { refId } of table.targets) assert.ok(`Value #${refId}` in columns, refId)
})

test('the guide lists every alert', () => {
  const names = [...readFileSync(alerts, 'utf8').matchAll(/- alert: (\w+)/g)]
  const guide = readFileSync(join(docs, 'guides', 'observability.md'), 'utf8')
  for (const [, name = ''] of names) assert.ok(guide.includes(`| \`${name}\` |`), name)
})

test('promtool accepts the alerts', { skip }, () => {
  assert.equal(promtool.run(['check', 'rules', alerts]), '')
})

test('promtool accepts the queries of the dashboard', { skip }, (t) => {
  const queries = dashboardQueries()
  assert.ok(queries.length > 20)
  const rules = queries.map((expr, at) => ({ record: `dashboard:query_${at}`, expr }))
  assert.equal(
    promtool.run(['check', 'rules', writeFile(t, { groups: [{ name: 'd', rules }] })]),
    '',
  )
})

test('promtool does find errors in rules', { skip }, (t) => {
  const rules = [{ record: 'a:b', expr: 'sum(rate(x[5m])' }]
  assert.match(
    promtool.run(['check', 'rules', writeFile(t, { groups: [{ name: 'd', rules }] })]),
    /status/,
  )
})

const target = 'job="framework", instance="a"'
const orders = `${target}, http_request_method="POST", http_route="/orders"`
const selects = `${target}, db_system_name="other_sql", db_operation_name="SELECT"`

/** The metrics of a healthy server: values by minute, in the notation of promtool. */
const healthy: Readonly<Record<string, string>> = {
  [`up{${target}}`]: '1+0x180',
  [`http_responses_total{${target}, class="2xx"}`]: '0+600x180',
  [`http_responses_total{${target}, class="5xx"}`]: '0+1x180',
  [`http_request_duration_seconds_bucket{${target}, le="1"}`]: '0+599x180',
  [`http_request_duration_seconds_bucket{${target}, le="2.5"}`]: '0+600x180',
  [`http_request_duration_seconds_bucket{${target}, le="+Inf"}`]: '0+600x180',
  [`runtime_event_loop_lag_p99_seconds{${target}, pid="7"}`]: '0.02+0x180',
  [`process_memory_bytes{${target}, pid="7"}`]: '200000000+0x180',
  [`exceptions_total{${target}}`]: '0+2x180',
  [`auth_theft_total{${target}}`]: '3+0x180',
  [`security_events_total{${target}, kind="limit"}`]: '0+5x180',
  [`security_events_total{${target}, kind="confirmation"}`]: '0+0x180',
  [routeCount('303')]: '0+60x180',
  [routeCount('500')]: '0+0x180',
  [routeBucket('2.5')]: '0+60x180',
  [routeBucket('5')]: '0+60x180',
  [routeBucket('+Inf')]: '0+60x180',
  [`db_client_operation_duration_seconds_bucket{${selects}, le="1"}`]: '0+600x180',
  [`db_client_operation_duration_seconds_bucket{${selects}, le="5"}`]: '0+600x180',
  [`db_client_operation_duration_seconds_bucket{${selects}, le="+Inf"}`]: '0+600x180',
  [`db_client_connection_wait_time_seconds_sum{${target}}`]: '0+6x180',
  [letters('sent')]: '0+10x180',
  [letters('failed')]: '0+0x180',
  [`queue_jobs_total{${target}, queue="mails", outcome="done"}`]: '0+10x180',
  [`queue_jobs_total{${target}, queue="mails", outcome="dead"}`]: '3+0x180',
  [`queue_depth{${target}, queue="mails", state="dead"}`]: '3+0x180',
  [`schedule_overdue_seconds{${target}, task="sweep"}`]: '30+0x180',
}

function routeCount(status: string): string {
  return `http_server_request_duration_seconds_count{${orders}, http_response_status_code="${status}"}`
}

function routeBucket(bound: string): string {
  return `http_server_request_duration_seconds_bucket{${orders}, http_response_status_code="303", le="${bound}"}`
}

function letters(outcome: string): string {
  return `mail_send_duration_seconds_count{${target}, lane="smtp", outcome="${outcome}"}`
}

for (const [situation, alert, series] of [
  ['all is well', null, {}],
  ['a server is gone', 'InstanceDown', { [`up{${target}}`]: '1+0x170 0+0x10' }],
  [
    'one response in eleven is a failure',
    'ManyServerErrors',
    { [`http_responses_total{${target}, class="5xx"}`]: '0+60x180' },
  ],
  [
    'there are few responses, all of them failures',
    null,
    {
      [`http_responses_total{${target}, class="2xx"}`]: '0+0x180',
      [`http_responses_total{${target}, class="5xx"}`]: '0+1x180',
    },
  ],
  [
    'ten requests in 600 take more than a second',
    'SlowRequests',
    { [`http_request_duration_seconds_bucket{${target}, le="1"}`]: '0+590x180' },
  ],
  [
    'one route fails, among many requests that do not',
    'RouteFails',
    { [routeCount('500')]: '0+10x180' },
  ],
  [
    'a route that hardly anybody uses fails',
    null,
    { [routeCount('303')]: '0+0x180', [routeCount('500')]: '0+1x180' },
  ],
  ['a route takes more than 2.5 seconds', 'RouteIsSlow', { [routeBucket('2.5')]: '0+50x180' }],
  [
    'a route that hardly anybody uses takes more than 2.5 seconds',
    null,
    {
      [routeBucket('2.5')]: '0+0x180',
      [routeBucket('5')]: '0+1x180',
      [routeBucket('+Inf')]: '0+1x180',
      [routeCount('303')]: '0+1x180',
    },
  ],
  [
    'one query in sixty takes more than a second',
    'StatementsAreSlow',
    { [`db_client_operation_duration_seconds_bucket{${selects}, le="1"}`]: '0+590x180' },
  ],
  [
    'two statements always wait for a connection',
    'PoolIsTooSmall',
    { [`db_client_connection_wait_time_seconds_sum{${target}}`]: '0+120x180' },
  ],
  ['half of the letters fail', 'MailsFail', { [letters('failed')]: '0+10x180' }],
  [
    'a few letters fail',
    null,
    { [letters('sent')]: '0+0.2x180', [letters('failed')]: '0+0.2x180' },
  ],
  [
    'a job failed for good, nine minutes ago',
    'JobsDie',
    { [`queue_jobs_total{${target}, queue="mails", outcome="dead"}`]: '0+0x170 1+0x10' },
  ],
  [
    'a job of a worker that is not scraped failed for good',
    'JobsDie',
    { [`queue_depth{${target}, queue="mails", state="dead"}`]: '3+0x170 4+0x10' },
  ],
  [
    'no process runs the schedule',
    'TasksAreOverdue',
    { [`schedule_overdue_seconds{${target}, task="sweep"}`]: '0+0x150 0+60x30' },
  ],
  [
    'an event loop lags',
    'EventLoopLags',
    { [`runtime_event_loop_lag_p99_seconds{${target}, pid="7"}`]: '0.3+0x180' },
  ],
  [
    'a worker uses 2 GB',
    'WorkerNeedsMuchMemory',
    { [`process_memory_bytes{${target}, pid="7"}`]: '2000000000+0x180' },
  ],
  [
    'there are ten times as many exceptions',
    'ExceptionsRise',
    { [`exceptions_total{${target}}`]: '0+2x170 340+20x10' },
  ],
  ['there are always as many exceptions', null, { [`exceptions_total{${target}}`]: '0+20x180' }],
  [
    'there are exceptions and no earlier hour to compare with',
    'ExceptionsRise',
    { [`exceptions_total{${target}}`]: '_x170 0+5x10' },
  ],
  [
    'limits refuse ten times as many requests',
    'SecurityEventsRise',
    { [`security_events_total{${target}, kind="limit"}`]: '0+5x170 850+50x10' },
  ],
  [
    'limits always refuse as many requests',
    null,
    { [`security_events_total{${target}, kind="limit"}`]: '0+50x180' },
  ],
  [
    'many new visitors verify their e-mail',
    null,
    { [`security_events_total{${target}, kind="confirmation"}`]: '0+0x170 0+50x10' },
  ],
  [
    'a copied device token was used once, nine minutes ago',
    'DeviceTokenStolen',
    { [`auth_theft_total{${target}}`]: '0+0x170 1+0x10' },
  ],
] as const) {
  test(`when ${situation} ${alert ?? 'no alert'} fires`, { skip }, (t) => {
    const firing = alert === null ? [] : [{ labels: `{alertname="${alert}"}`, value: 1 }]
    const query = {
      expr: 'count by (alertname) (ALERTS{alertstate="firing"})',
      eval_time: '180m',
      exp_samples: firing,
    }
    const measured = Object.entries({ ...healthy, ...series })
    const input = measured.map(([name, values]) => ({ series: name, values }))
    const run = { interval: '1m', input_series: input, promql_expr_test: [query] }
    // Every minute would take four times as long, and find the same.
    const file = writeFile(t, { rule_files: [alerts], evaluation_interval: '5m', tests: [run] })
    assert.equal(promtool.run(['test', 'rules', file]), '')
  })
}
