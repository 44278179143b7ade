import assert from 'node:assert/strict'
import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { test } from 'node:test'
import type { TestContext } from 'node:test'
import { gunzipSync } from 'node:zlib'
import {
  Counter,
  Exporters,
  Histogram,
  Observability,
  shipMetrics,
} from '../../src/public/observability.ts'
import { systemClock } from '../../src/otlp/deliver.ts'
import { RunningCommand, runCommand } from '../support/command.ts'
import { answer, startCollector } from '../support/fake-collector.ts'
import { plantProject } from '../support/plant-project.ts'
import { waitFor } from '../support/wait-for.ts'

const script = join(import.meta.dirname, '..', '..', '..', 'demo/scripts/observability-ship.ts')

/** A project with fresh snapshots of two workers. */
async function plantFleet(t: TestContext): Promise<string> {
  const root = plantProject(t, { 'scripts/observability-ship.ts': readFileSync(script, 'utf8') })
  for (const pid of [71, 72]) {
    const registry = new Observability(false)
    const requests = new Counter('http_requests_total', { help: 'Requests.' })
    const durations = new Histogram('http_request_duration_seconds')
    requests.increment(pid)
    durations.observe(0.02)
    registry.metrics.push(requests, durations)
    const file = join(root, 'storage', 'observability', `worker-1-${pid}.json`)
    assert.ok(await registry.dump(new Exporters.JSON(), file))
  }
  return root
}

const snapshots = (root: string): string => join(root, 'storage', 'observability')

test('one POST sends the merged metrics as exported, and its status is printed', async (t) => {
  const cwd = await plantFleet(t)
  const collector = await startCollector(t, answer(202))
  const env = {
    OTEL_EXPORTER_OTLP_ENDPOINT: `${collector.url}/`,
    OTEL_EXPORTER_OTLP_HEADERS: 'x-key=a%20b,x-org=7',
    OTEL_SERVICE_NAME: 'shop',
  }
  const { status, stdout, stderr } = await runCommand(t, ['ship-metrics'], { cwd, env })
  assert.deepEqual([status, stdout, stderr], [0, '202\n', ''])
  const [post, ...more] = collector.posts
  assert.ok(post)
  assert.deepEqual(more, [])
  assert.equal(`${post.method} ${post.target}`, 'POST /v1/metrics')
  assert.equal(post.headers['content-type'], 'application/json')
  assert.equal(post.headers['content-encoding'], undefined)
  assert.equal(post.headers['content-length'], String(post.body.length))
  assert.equal(post.headers['x-key'], 'a b')
  assert.equal(post.headers['x-org'], '7')
  const sent = JSON.parse(post.body.toString())
  const [requests] = sent.resourceMetrics[0].scopeMetrics[0].metrics
  assert.equal(requests.sum.dataPoints[0].asDouble, 71 + 72)
  const start = Number(requests.sum.dataPoints[0].startTimeUnixNano) / 1e9
  const snapshot = await Observability.aggregate(join(snapshots(cwd), '*.json'))
  const exporter = new Exporters.OTLP({ service: 'shop', start })
  assert.deepEqual(sent, JSON.parse(exporter.export(snapshot)))
})

test('two shipments have the same start time', async (t) => {
  const folder = snapshots(await plantFleet(t))
  const collector = await startCollector(t, answer(200))
  for (const _ of [1, 2]) {
    const { result } = await shipMetrics({ folder, endpoint: collector.url })
    assert.equal(result, 'sent')
  }
  const [first, second] = collector.posts.map(({ body }) => body.toString())
  assert.match(first ?? '', /"startTimeUnixNano":"\d{19}"/)
  assert.equal(first, second)
})

test('gzip is used on request, and decodes', async (t) => {
  const cwd = await plantFleet(t)
  const collector = await startCollector(t, answer(200))
  const env = {
    OTEL_EXPORTER_OTLP_ENDPOINT: collector.url,
    OTEL_EXPORTER_OTLP_COMPRESSION: 'gzip',
  }
  assert.equal((await runCommand(t, ['ship-metrics'], { cwd, env })).status, 0)
  const [post] = collector.posts
  assert.equal(post?.headers['content-encoding'], 'gzip')
  const sent = JSON.parse(gunzipSync(post?.body ?? '').toString())
  assert.equal(sent.resourceMetrics.length, 1)
})

test('503 with Retry-After is retried after the wait', async (t) => {
  const cwd = await plantFleet(t)
  const collector = await startCollector(t, answer(503, { 'Retry-After': '1' }), answer(200))
  const env = { OTEL_EXPORTER_OTLP_ENDPOINT: collector.url }
  const { status, stdout } = await runCommand(t, ['ship-metrics'], { cwd, env })
  assert.deepEqual([status, stdout], [0, '200\n'])
  const [first, second] = collector.posts
  assert.ok(first && second && second.atMs - first.atMs >= 990)
  assert.deepEqual(first.body, second.body)
})

test('429 with a date is retried on that date and not before', async (t) => {
  const folder = snapshots(await plantFleet(t))
  const dateMs = Math.ceil(Date.now() / 1_000 + 1) * 1_000
  const wait = { 'Retry-After': new Date(dateMs).toUTCString() }
  const collector = await startCollector(t, answer(429, wait), answer(200))
  const clock = { ...systemClock, random: () => 0 }
  const outcome = await shipMetrics({ folder, endpoint: collector.url, clock })
  assert.deepEqual(outcome, { result: 'sent', status: 200, attempts: 2, notice: null })
  const lateMs = (collector.posts[1]?.atMs ?? 0) - dateMs
  assert.ok(lateMs >= -10, `${lateMs} ms after the date`)
})

test('an endpoint that hangs is abandoned after the timeout, and retried', async (t) => {
  const folder = snapshots(await plantFleet(t))
  let tries = 0
  const collector = await startCollector(t, (response, post) => {
    if (tries > 1) answer(200)(response, post)
  })
  // The second attempt has no relevant time limit.
  const send: typeof fetch = (url, init = {}) =>
    fetch(url, (tries += 1) === 1 ? init : { ...init, signal: null })
  const clock = { ...systemClock, random: () => 0 }
  const options = { folder, endpoint: collector.url, timeoutMs: 150, clock, fetch: send }
  const { result, attempts } = await shipMetrics(options)
  assert.deepEqual([result, attempts], ['sent', 2])
})

test('an endpoint that always hangs ends with status 1', async (t) => {
  const cwd = await plantFleet(t)
  const collector = await startCollector(t, () => {})
  const env = {
    OTEL_EXPORTER_OTLP_ENDPOINT: collector.url,
    OTEL_EXPORTER_OTLP_TIMEOUT: '150',
  }
  const words = ['ship-metrics', '--retry-for', '0']
  const { status, stdout, stderr } = await runCommand(t, words, { cwd, env })
  assert.deepEqual([status, stdout], [1, ''])
  assert.equal(stderr, `error ${collector.url}/v1/metrics did not answer: no answer in 150 ms\n`)
  // On a busy machine the timeout may pass before the POST is sent.
  assert.ok(collector.posts.length <= 1)
})

test('a response whose body never ends counts by its status', async (t) => {
  const folder = snapshots(await plantFleet(t))
  const collector = await startCollector(t, (response) => {
    response.writeHead(200, { 'Content-Length': '100' }).write('{')
  })
  // The timeout fires, but only after the status has arrived.
  const send: typeof fetch = async (url, init) => {
    const limit = new AbortController()
    const response = await fetch(url, { ...init, signal: limit.signal })
    const strike = (): void => limit.abort()
    init?.signal?.addEventListener('abort', strike)
    if (init?.signal?.aborted === true) strike()
    return response
  }
  const options = { folder, endpoint: collector.url, timeoutMs: 150, fetch: send }
  const outcome = await shipMetrics(options)
  assert.deepEqual(outcome, { result: 'sent', status: 200, attempts: 1, notice: null })
})

test('an endpoint that refuses ends with status 1', async (t) => {
  const cwd = await plantFleet(t)
  const env = { OTEL_EXPORTER_OTLP_ENDPOINT: 'http://127.0.0.1:4' }
  const words = ['ship-metrics', '--retry-for', '0']
  const { status, stdout, stderr } = await runCommand(t, words, { cwd, env })
  assert.deepEqual([status, stdout], [1, ''])
  assert.match(stderr, /^error http:\/\/127\.0\.0\.1:4\/v1\/metrics did not answer: .*ECONNREFUSED/)
})

test('a redirect is printed and not followed', async (t) => {
  const cwd = await plantFleet(t)
  const other = await startCollector(t, answer(200))
  const collector = await startCollector(t, answer(307, { Location: `${other.url}/v1/metrics` }))
  const env = { OTEL_EXPORTER_OTLP_ENDPOINT: collector.url }
  const { status, stdout, stderr } = await runCommand(t, ['ship-metrics'], { cwd, env })
  assert.deepEqual([status, stdout], [1, '307\n'])
  assert.match(stderr, /redirects are not followed/)
  assert.deepEqual([collector.posts.length, other.posts.length], [1, 0])
})

test('data points rejected by a collector are printed as a warning and are not a failure', async (t) => {
  const cwd = await plantFleet(t)
  const body = '{"partialSuccess":{"rejectedDataPoints":"2","errorMessage":"too old"}}'
  const collector = await startCollector(t, answer(200, {}, body))
  const env = { OTEL_EXPORTER_OTLP_ENDPOINT: collector.url }
  const { status, stdout, stderr } = await runCommand(t, ['ship-metrics'], { cwd, env })
  assert.deepEqual([status, stdout], [0, '200\n'])
  assert.equal(stderr, 'warning the collector rejected 2 data points: too old\n')
})

test('no secret of headers or user info is printed, whatever the collector responds', async (t) => {
  const cwd = await plantFleet(t)
  const collector = await startCollector(t, (response, { headers }) => {
    response.writeHead(401, { 'Content-Type': 'text/plain' }).end(JSON.stringify(headers))
  })
  const secrets = collector.url.replace('://', '://ada:hunter2@')
  const env = {
    OTEL_EXPORTER_OTLP_ENDPOINT: `${secrets}/?key=opensesame`,
    OTEL_EXPORTER_OTLP_HEADERS: 'x-api-key=swordfish',
  }
  const basic = Buffer.from('ada:hunter2').toString('base64')
  const said = await runCommand(t, ['ship-metrics', '--verbose'], { cwd, env })
  assert.deepEqual([said.status, said.stdout], [1, '401\n'])
  assert.equal(collector.posts[0]?.headers.authorization, `Basic ${basic}`)
  assert.equal(collector.posts[0]?.target, '/v1/metrics?key=opensesame')
  assert.match(said.stderr, /\[redacted\]/)
  const wrong = { ...env, OTEL_EXPORTER_OTLP_HEADERS: 'x-api-key=1,swordfish' }
  const refused = await runCommand(t, ['ship-metrics', '--verbose'], { cwd, env: wrong })
  assert.equal(refused.status, 1)
  assert.match(refused.stderr, /OTEL_EXPORTER_OTLP_HEADERS .* must be pairs/)
  for (const { stderr } of [said, refused]) {
    assert.doesNotMatch(stderr, new RegExp(`hunter2|opensesame|swordfish|${basic}`))
  }
})

test('without fresh snapshots it prints an error and ends with status 1', async (t) => {
  const cwd = plantProject(t, {})
  const collector = await startCollector(t, answer(200))
  const env = { OTEL_EXPORTER_OTLP_ENDPOINT: collector.url }
  const { status, stdout, stderr } = await runCommand(t, ['ship-metrics'], { cwd, env })
  assert.deepEqual([status, stdout], [1, ''])
  assert.match(stderr, /^error there is no snapshot from the last 60 seconds in /)
  assert.deepEqual(collector.posts, [])
})

test('--folder sets the folder of the snapshots', async (t) => {
  const root = await plantFleet(t)
  const collector = await startCollector(t, answer(200))
  const env = { OTEL_EXPORTER_OTLP_ENDPOINT: collector.url }
  const words = ['ship-metrics', '--folder', 'observability']
  const options = { cwd: join(root, 'storage'), env }
  assert.equal((await runCommand(t, words, options)).status, 0)
})

test('an invalid interval is a usage error', async (t) => {
  for (const interval of ['0', '-1', 'x', '1m']) {
    const { status } = await runCommand(t, ['ship-metrics', `--interval=${interval}`])
    assert.equal(status, 2, interval)
  }
})

test('--interval posts repeatedly; failures do not end it, SIGTERM does with status 0', async (t) => {
  const cwd = await plantFleet(t)
  const collector = await startCollector(t, answer(200), answer(400), answer(200))
  const env = { OTEL_EXPORTER_OTLP_ENDPOINT: collector.url }
  const command = new RunningCommand(t, ['ship-metrics', '--interval', '0.2'], { cwd, env })
  await command.said(/200\n400\n200\n/)
  assert.equal(await command.stop(), 0)
  assert.match(command.stderr, /^error http:\S+ answered 400\n$/)
  const [first, , third] = collector.posts
  assert.ok(first && third && third.atMs - first.atMs >= 200)
})

test('SIGTERM lets the current POST finish', async (t) => {
  const cwd = await plantFleet(t)
  const gate = Promise.withResolvers<void>()
  const collector = await startCollector(t, (response) => {
    void gate.promise.then(() => response.writeHead(200).end())
  })
  const env = { OTEL_EXPORTER_OTLP_ENDPOINT: collector.url }
  const command = new RunningCommand(t, ['ship-metrics', '--interval', '0.1'], { cwd, env })
  await waitFor('the post', () => collector.posts.length === 1)
  command.child.kill('SIGTERM')
  await new Promise((resolve) => setTimeout(resolve, 100))
  assert.equal(command.child.exitCode, null)
  gate.resolve()
  assert.equal(await command.end(), 0)
  assert.equal(command.stdout, '200\n')
  assert.equal(collector.posts.length, 1)
})

test('SIGINT ends the pause between two attempts or two shipments', async (t) => {
  const cwd = await plantFleet(t)
  for (const [collector, line] of [
    [await startCollector(t, answer(503, { 'Retry-After': '3600' })), '503\n'],
    [await startCollector(t, answer(200)), '200\n'],
  ] as const) {
    const env = { OTEL_EXPORTER_OTLP_ENDPOINT: collector.url }
    const words = ['ship-metrics', '--interval', '3600', '--retry-for', '7200']
    const command = new RunningCommand(t, words, { cwd, env })
    await waitFor('the post', () => collector.posts.length === 1)
    // The response is on its way; the pause after it cannot be observed from outside.
    await new Promise((resolve) => setTimeout(resolve, 300))
    command.child.kill('SIGINT')
    assert.equal(await command.end(), 0)
    assert.equal(command.stdout, line)
  }
})

test('the script of the project posts once and prints the status', async (t) => {
  const cwd = await plantFleet(t)
  const collector = await startCollector(t, answer(200), answer(400))
  const program = ['--conditions=source', join(cwd, 'scripts', 'observability-ship.ts')]
  const env = { OTEL_EXPORTER_OTLP_ENDPOINT: collector.url, OTEL_SERVICE_NAME: 'shop' }
  const sent = await runCommand(t, [], { cwd: '/', env, program })
  assert.deepEqual([sent.status, sent.stdout, sent.stderr], [0, '200\n', ''])
  assert.match(collector.posts[0]?.body.toString() ?? '', /"stringValue":"shop"/)
  const refused = await runCommand(t, [], { cwd: '/', env, program })
  assert.deepEqual([refused.status, refused.stdout], [1, '400\n'])
  assert.match(refused.stderr, /answered 400/)
  assert.equal(collector.posts.length, 2)
  const idle = { ...env, FRAMEWORK_OBSERVABILITY_DIR: 'storage/nothing' }
  const empty = await runCommand(t, [], { cwd: '/', env: idle, program })
  assert.deepEqual([empty.status, empty.stdout], [1, ''])
  assert.match(empty.stderr, /there is no snapshot/)
})
