import assert from 'node:assert/strict'
import { readFileSync, readdirSync, utimesSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { test } from 'node:test'
import { setTimeout as sleep } from 'node:timers/promises'
import { Snapshot } from '../../src/metrics/snapshot.ts'
import { readStatements } from '../../src/metrics/slowest-statements.ts'
import type { StatementStats } from '../../src/metrics/slowest-statements.ts'
import { shipMetrics } from '../../src/otlp/ship-metrics.ts'
import { answer, startCollector } from '../support/fake-collector.ts'
import { startLoad } from '../support/load.ts'
import {
  FallWatch,
  metricsFolder,
  scrape,
  scrapeOrNull,
  startMetricsFleet,
  sum,
  workerPids,
} from '../support/metrics-fleet.ts'
import type { MetricsFleet } from '../support/metrics-fleet.ts'
import { waitFor } from '../support/wait-for.ts'

/** How many scrapes look for falling fractions; 10,000 is the long version. */
const scrapes = Number(process.env['FLEET_TEST_SCRAPES'] ?? 60)
const timeout = Math.max(290_000, scrapes * 100)
/** So long that snapshots are written only on a scrape and when a process ends. */
const never = 3_600

const routeDurations = 'http_server_request_duration_seconds'

async function statementsOf({ origin }: MetricsFleet): Promise<StatementStats[]> {
  const headers = { connection: 'close' }
  const answer = await fetch(`${origin}/metrics/statements`, { headers })
  const { statements }: { statements: unknown } = JSON.parse(await answer.text())
  return readStatements(statements)
}

function pids({ metrics }: Snapshot): string[] {
  return (metrics['process_uptime_seconds']?.series ?? []).map(({ labels }) => labels['pid'] ?? '')
}

test('any worker responds for the whole fleet', async (t) => {
  const fleet = await startMetricsFleet(t, { workers: 2 })
  const load = startLoad(t, fleet.port, '/pid', 8)
  await waitFor('both workers', () => load.tally.bodies.size === 2)
  const { answered } = await load.stop()
  await waitFor('every request in one scrape', async () => {
    const snapshot = await scrape(fleet)
    // Those of the scrapes themselves come on top.
    return sum(snapshot, 'http_responses_total', { class: '2xx' }) >= answered
  })
  const snapshot = await scrape(fleet)
  assert.deepEqual(pids(snapshot).toSorted(), [...load.tally.bodies].toSorted())
  assert.ok(sum(snapshot, 'http_bytes_read_total') > answered * 40)
  assert.ok(sum(snapshot, 'http_bytes_written_total') > answered * 40)
  assert.equal(sum(snapshot, routeDurations, { http_route: '/pid' }), answered)
})

test('routes and statements of all workers are told by any of them, and routes by the dead', async (t) => {
  const fleet = await startMetricsFleet(t, { workers: 2 })
  const load = startLoad(t, fleet.port, '/query/hunter22', 4)
  await waitFor('both workers', () => load.tally.bodies.size === 2)
  const { answered } = await load.stop()
  const route = {
    http_request_method: 'GET',
    http_route: '/query/:id',
    http_response_status_code: '200',
  }
  const selects = { db_operation_name: 'SELECT', db_system_name: 'sqlite' }
  const isComplete = async (): Promise<boolean> => {
    const snapshot = await scrape(fleet)
    const statements = sum(snapshot, 'db_client_operation_duration_seconds', selects)
    return sum(snapshot, routeDurations, route) === answered && statements === answered
  }
  await waitFor('every request and statement', isComplete)
  await waitFor('every statement in the list', async () => {
    const [first, ...others] = await statementsOf(fleet)
    assert.deepEqual([first?.statement, others], ['SELECT ? AS "id"', []])
    assert.match(first?.caller ?? '', /tests\/support\/metrics-server\.ts:\d+$/)
    return first?.count === answered
  })
  await fetch(`${fleet.origin}/crash`)
  await waitFor('another worker', () => workerPids(fleet).length === 3, 30)
  await waitFor('every request and statement, still', isComplete)
  await waitFor('the statements of the living', async () => {
    const [first] = await statementsOf(fleet)
    return first !== undefined && first.count < answered
  })
})

test('restarts that lose no request lose no count either', async (t) => {
  const fleet = await startMetricsFleet(t, { workers: 2 })
  const load = startLoad(t, fleet.port, '/pid', 8)
  await waitFor('both workers', () => load.tally.bodies.size === 2)
  fleet.child.kill('SIGUSR2')
  await waitFor('new workers', () => fleet.lines.some(({ log }) => log === 'workers restarted'))
  const { answered, failed } = await load.stop()
  assert.deepEqual([...failed], [])
  // Scrapes count themselves: one more each time.
  let scrapes = 0
  await waitFor('exactly the requests there were', async () => {
    const total = sum(await scrape(fleet), 'http_requests_total')
    scrapes += 1
    assert.ok(total <= answered + scrapes, `${total} of ${answered} and ${scrapes}`)
    return total === answered + scrapes
  })
})

test('while workers are killed no total ever falls, and only unsaved counts are lost', async (t) => {
  const fleet = await startMetricsFleet(t, { workers: 2 })
  const load = startLoad(t, fleet.port, '/pid', 8)
  await waitFor('both workers', () => load.tally.bodies.size === 2)
  const watch = new FallWatch()
  const killed: number[] = []
  for (let round = 0; round < 4; round += 1) {
    // The oldest has the connections, and so the counts.
    killed.push(await killOldest(fleet, killed))
    for (let at = 0; at < 20; at += 1) {
      watch.see(await scrapeOrNull(fleet))
      await sleep(50)
    }
  }
  assert.deepEqual(watch.fallen, [])
  const { answered } = await load.stop()
  // One second of one of two workers, four times.
  await waitFor('what was written down', async () => {
    return sum(await scrape(fleet), 'http_requests_total') > 0.3 * answered
  })
  await waitFor('only files of the living', () => snapshots(fleet).length === 4)
})

function snapshots({ folder }: MetricsFleet): string[] {
  return readdirSync(folder).filter((name) => name.endsWith('.json'))
}

/** Kills the oldest worker and returns its id. */
async function killOldest(fleet: MetricsFleet, killed: readonly number[]): Promise<number> {
  // Without any worker the port, chosen by the system, would be lost.
  const [victim = 0] = await waitFor('two workers that live', () => {
    const living = workerPids(fleet).filter((pid) => !killed.includes(pid))
    return living.length === 2 && living
  })
  process.kill(victim, 'SIGKILL')
  return victim
}

test('formats are negotiated: text by default, JSON, OpenMetrics, a page for browsers, gzip', async (t) => {
  const fleet = await startMetricsFleet(t, {})
  const get = async (accept: string): Promise<[string, string]> => {
    const answer = await fetch(`${fleet.origin}/metrics`, { headers: { accept } })
    return [answer.headers.get('content-type') ?? '', await answer.text()]
  }
  const [plain, text] = await get('*/*')
  assert.equal(plain, 'text/plain; version=0.0.4; charset=utf-8')
  assert.match(text, /^# TYPE http_requests_total counter$/m)
  const [json, document] = await get('application/json')
  assert.match(json, /^application\/json/)
  assert.deepEqual(Object.keys(JSON.parse(document)), ['timestamp', 'metrics'])
  const [open, exposition] = await get(
    'application/openmetrics-text;version=1.0.0;q=0.6,text/plain;version=0.0.4;q=0.3,*/*;q=0.2',
  )
  assert.match(open, /^application\/openmetrics-text/)
  assert.match(exposition, /# EOF\n$/)
  const [html, page] = await get('text/html,application/xhtml+xml,*/*;q=0.8')
  assert.match(html, /^text\/html/)
  assert.match(page, /<script[^>]* nonce=/)
  const forced = await fetch(`${fleet.origin}/metrics?format=text`, {
    headers: { accept: 'text/html' },
  })
  assert.match(forced.headers.get('content-type') ?? '', /^text\/plain/)
  const packed = await fetch(`${fleet.origin}/metrics`, { headers: { 'accept-encoding': 'gzip' } })
  assert.equal(packed.headers.get('content-encoding'), 'gzip')
  assert.ok((await packed.text()).includes('http_requests_total'))
  for (const name of ['xml', 'TEXT', '', 'toString', '__proto__']) {
    const unknown = await fetch(`${fleet.origin}/metrics?format=${name}`)
    assert.equal(unknown.status, 400, name)
    assert.equal(unknown.headers.get('content-type'), 'text/plain; charset=utf-8')
    assert.equal(await unknown.text(), 'format is one of text, json, openmetrics\n')
  }
})

test('health describes the process, and readiness fails while requests are still accepted', async (t) => {
  const fleet = await startMetricsFleet(t, { workers: 2, drainDelay: 4 })
  const health: unknown = await (await fetch(`${fleet.origin}/health`)).json()
  assert.deepEqual(Object.keys(Object(health)), [
    'status',
    'pid',
    'uptime_seconds',
    'memory_bytes',
    'timestamp',
  ])
  const ready = await fetch(`${fleet.origin}/ready`)
  assert.deepEqual(
    [ready.status, await ready.json()],
    [200, { status: 'ready', checks: { always: 'ok' } }],
  )
  const startedMs = Date.now()
  fleet.child.kill('SIGTERM')
  await waitFor('readiness to say no', async () => {
    const answer = await fetch(`${fleet.origin}/ready`)
    return answer.status === 503 && (await answer.text()).startsWith('{"status":"unready"')
  })
  assert.equal((await fetch(`${fleet.origin}/pid`)).status, 200)
  assert.equal(await fleet.ended, 0)
  assert.ok(Date.now() - startedMs >= 4000)
})

test('a worker that was still starting when the fleet was stopped is never ready', async (t) => {
  const start = join(metricsFolder(t), 'start')
  const fleet = await startMetricsFleet(t, { workers: 2, drainDelay: 3_600, start })
  const ask = async (): Promise<number> => {
    return (await fetch(`${fleet.origin}/ready`, { headers: { connection: 'close' } })).status
  }
  fleet.child.kill('SIGTERM')
  await waitFor('the first worker to say no', async () => (await ask()) === 503)
  writeFileSync(start, '')
  const statuses = new Set<number>()
  const isServing = (): boolean => workerPids(fleet).length === 2
  const asking = [1, 2, 3, 4].map(async () => {
    while (!isServing()) statuses.add(await ask())
    // Each worker gets some of these.
    for (let times = 0; times < 5; times += 1) statuses.add(await ask())
  })
  await Promise.all(asking)
  assert.deepEqual([...statuses], [503])
})

test('a worker that ran out of memory counts as one exception of the fleet', async (t) => {
  const fleet = await startMetricsFleet(t, { workers: 2 })
  await assert.rejects(fetch(`${fleet.origin}/eat`))
  await waitFor('the count', async () => sum(await scrape(fleet), 'exceptions_total') === 1)
  await sleep(1500)
  assert.equal(sum(await scrape(fleet), 'exceptions_total'), 1)
})

test('throwables are counted in every worker', async (t) => {
  const fleet = await startMetricsFleet(t, { workers: 2 })
  for (let at = 0; at < 5; at += 1) await fetch(`${fleet.origin}/boom`)
  await waitFor('all of them', async () => sum(await scrape(fleet), 'exceptions_total') === 5)
})

for (const install of [true, false]) {
  const handled = install ? 'as the framework command handles it' : 'that nobody handles'
  test(`a worker that dies of an uncaught throwable, ${handled}, counts it and loses nothing`, async (t) => {
    const observability = { folder: metricsFolder(t), interval: never }
    const fleet = await startMetricsFleet(t, { workers: 2, install, observability })
    let requests = 0
    for (const path of ['/crash', '/reject']) {
      for (let at = 0; at < 5; at += 1) await fetch(`${fleet.origin}/pid`)
      await fetch(`${fleet.origin}${path}`)
      requests += 6
      await waitFor('another worker', () => workerPids(fleet).length === 2 + requests / 6, 30)
    }
    // Scrapes count themselves, each once.
    let scraped = 0
    await waitFor('every count', async () => {
      const snapshot = await scrape(fleet)
      scraped += 1
      const counted = sum(snapshot, 'http_requests_total')
      return sum(snapshot, 'exceptions_total') === 2 && counted === requests + scraped
    })
  })

  test(`a single process that dies of a throwable, ${handled}, has saved its count`, async (t) => {
    const observability = { folder: metricsFolder(t), interval: never }
    const server = await startMetricsFleet(t, { install, observability })
    for (let at = 0; at < 5; at += 1) await fetch(`${server.origin}/pid`)
    await fetch(`${server.origin}/crash`)
    assert.equal(await server.ended, install ? 255 : 1)
    const file = join(observability.folder, `worker-1-${server.pid}.json`)
    const snapshot = Snapshot.import(JSON.parse(readFileSync(file, 'utf8')))
    assert.equal(sum(snapshot, 'exceptions_total'), 1)
    assert.equal(sum(snapshot, 'http_requests_total'), 6)
    assert.deepEqual(
      readdirSync(observability.folder).filter((name) => name.endsWith('.tmp')),
      [],
    )
  })
}

test('sums of fractions never fall, whichever worker responds', { timeout }, async (t) => {
  const fleet = await startMetricsFleet(t, { workers: 4 })
  const load = startLoad(t, fleet.port, '/pid', 8)
  await waitFor('all workers', () => load.tally.bodies.size === 4)
  await waitFor('many fractions', () => load.tally.answered > 2_000)
  // Idle, so that no growth hides a fall of the last digit.
  await load.stop()
  const watch = new FallWatch()
  for (let at = 0; at < scrapes; at += 1) watch.see(await scrape(fleet))
  t.diagnostic(`${scrapes} scrapes, ${watch.fallen.length} falls`)
  assert.deepEqual(watch.fallen.slice(0, 10), [])
})

test('neither a stopped worker nor a clock change removes anything from the sums', async (t) => {
  const fleet = await startMetricsFleet(t, { workers: 2 })
  const load = startLoad(t, fleet.port, '/pid', 8)
  await waitFor('both workers', () => load.tally.bodies.size === 2)
  await load.stop()
  const watch = new FallWatch()
  // One request to each, so that every worker has saved its counts.
  await waitFor('an answer of each', async () => pids(await scrape(fleet)).length === 2)
  const before = await scrape(fleet)
  watch.see(before)
  const [victim = 0] = workerPids(fleet)
  process.kill(victim, 'SIGSTOP')
  t.after(() => process.kill(victim, 'SIGCONT'))
  // Both leave files that look an hour old.
  const old = Date.now() / 1_000 - 3_600
  for (const name of snapshots(fleet)) utimesSync(join(fleet.folder, name), old, old)
  await waitFor('an answer of the other', async () => {
    const snapshot = await scrapeOrNull(fleet)
    watch.see(snapshot)
    return snapshot !== null
  })
  assert.deepEqual(watch.fallen, [])
  const collector = await startCollector(t, answer(200))
  const { result } = await shipMetrics({ folder: fleet.folder, endpoint: collector.url })
  assert.equal(result, 'sent')
  const [requests] = [
    ...String(collector.posts[0]?.body).matchAll(/"http_requests_total".*?"asDouble":(\d+)/g),
  ]
  assert.ok(Number(requests?.[1]) >= sum(before, 'http_requests_total'), requests?.[0])
})
