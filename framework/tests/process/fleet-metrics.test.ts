import assert from 'node:assert/strict'
import { mkdtempSync, readdirSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { test } from 'node:test'
import type { TestContext } from 'node:test'
import { setTimeout as sleep } from 'node:timers/promises'
import { Snapshot } from '../../src/services/observability/snapshot.ts'
import { startLoad } from '../support/load.ts'
import { startServer } from '../support/start-server.ts'
import type { StartedServer } from '../support/start-server.ts'
import { waitFor } from '../support/wait-for.ts'

const script = join(import.meta.dirname, '..', 'support', 'metrics-server.ts')

interface Fleet extends StartedServer {
  readonly folder: string
  readonly origin: string
}

async function startFleet(t: TestContext, options: object): Promise<Fleet> {
  const folder = mkdtempSync(join(tmpdir(), 'framework-fleet-'))
  const server = await startServer(t, script, {
    observability: { folder, interval: 1 },
    ...options,
  })
  // After the fleet was killed, which may be in the middle of a write.
  t.after(() => rmSync(folder, { recursive: true, force: true, maxRetries: 10 }))
  return { ...server, folder, origin: `http://127.0.0.1:${server.port}` }
}

async function scrape({ origin }: Fleet): Promise<Snapshot> {
  const answer = await fetch(`${origin}/metrics`, { headers: { accept: 'application/json' } })
  assert.equal(answer.status, 200)
  return Snapshot.import(await answer.json())
}

/** The sum of the series of a metric that have these labels. */
function sum({ metrics }: Snapshot, name: string, labels: Record<string, string> = {}): number {
  let total = 0
  for (const series of metrics[name]?.series ?? []) {
    const fits = Object.entries(labels).every(([key, value]) => series.labels[key] === value)
    if (fits) total += 'value' in series ? series.value : series.count
  }
  return total
}

function pids({ metrics }: Snapshot): string[] {
  return (metrics['process_uptime_seconds']?.series ?? []).map(({ labels }) => labels['pid'] ?? '')
}

test('any worker answers for the whole fleet', async (t) => {
  const fleet = await startFleet(t, { workers: 2 })
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
})

test('restarts that lose no request lose no count either', async (t) => {
  const fleet = await startFleet(t, { workers: 2 })
  const load = startLoad(t, fleet.port, '/pid', 8)
  await waitFor('both workers', () => load.tally.bodies.size === 2)
  fleet.child.kill('SIGUSR2')
  await waitFor('new workers', () => fleet.lines.some(({ log }) => log === 'workers restarted'), 30)
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

test('while workers are killed no total ever falls, and what is missing is what was not written down', async (t) => {
  const fleet = await startFleet(t, { workers: 2 })
  const load = startLoad(t, fleet.port, '/pid', 8)
  await waitFor('both workers', () => load.tally.bodies.size === 2)
  const highest = new Map<string, number>()
  const fallen: string[] = []
  const killed: number[] = []
  for (let round = 0; round < 4; round += 1) {
    // The oldest has the connections, and so the counts.
    killed.push(killOldest(fleet, killed))
    for (let at = 0; at < 20; at += 1) {
      for (const [name, total] of totals(await scrapeOrNull(fleet))) {
        if (total < (highest.get(name) ?? 0)) fallen.push(name)
        highest.set(name, Math.max(total, highest.get(name) ?? 0))
      }
      await sleep(50)
    }
  }
  assert.deepEqual(fallen, [])
  const { answered } = await load.stop()
  await sleep(1500)
  const total = sum(await scrape(fleet), 'http_requests_total')
  // A second of one of two workers, four times.
  assert.ok(total > 0.3 * answered, `${total} of ${answered}`)
  await waitFor('only files of the living', () => readdirSync(fleet.folder).length === 4)
})

/** Kills the worker that has been there longest, and answers its id. */
function killOldest({ lines }: Fleet, killed: readonly number[]): number {
  const workers = lines.flatMap(({ worker }) => (typeof worker === 'number' ? [worker] : []))
  const victim = workers.find((pid) => !killed.includes(pid)) ?? 0
  assert.notEqual(victim, 0)
  process.kill(victim, 'SIGKILL')
  return victim
}

/** Sums of counters and histograms, those that bear the id of a process aside. */
function totals(snapshot: Snapshot | null): [string, number][] {
  return Object.entries(snapshot?.metrics ?? {})
    .filter(([, { type, series }]) => type !== 'gauge' && !('pid' in (series[0]?.labels ?? {})))
    .map(([name]) => [name, snapshot === null ? 0 : sum(snapshot, name)])
}

async function scrapeOrNull(fleet: Fleet): Promise<Snapshot | null> {
  try {
    return await scrape(fleet)
  } catch {
    // The worker that was asked has just been killed.
    return null
  }
}

test('formats are negotiated: text by default, JSON, OpenMetrics, a page for browsers, gzip', async (t) => {
  const fleet = await startFleet(t, {})
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

test('health tells about the process, and readiness turns to no while requests are still taken', async (t) => {
  const fleet = await startFleet(t, { workers: 2, drainDelay: 1 })
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
  assert.ok(Date.now() - startedMs >= 1000)
})

test('a worker that ran out of memory counts as one exception of the fleet', async (t) => {
  const fleet = await startFleet(t, { workers: 2 })
  await assert.rejects(fetch(`${fleet.origin}/eat`))
  await waitFor('the count', async () => sum(await scrape(fleet), 'exceptions_total') === 1)
  await sleep(1500)
  assert.equal(sum(await scrape(fleet), 'exceptions_total'), 1)
})

test('throwables are counted in every worker', async (t) => {
  const fleet = await startFleet(t, { workers: 2 })
  for (let at = 0; at < 5; at += 1) await fetch(`${fleet.origin}/boom`)
  await waitFor('all of them', async () => sum(await scrape(fleet), 'exceptions_total') === 5)
})
