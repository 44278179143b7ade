import assert from 'node:assert/strict'
import { mkdtempSync, readFileSync, readdirSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { test } from 'node:test'
import type { TestContext } from 'node:test'
import { JsonExporter } from './exporters/json.ts'
import { snapshotPattern, workerFile } from './fleet-files.ts'
import { Counter } from './instruments/counter.ts'
import { Gauge } from './instruments/gauge.ts'
import { Histogram } from './instruments/histogram.ts'
import { Observability } from './observability.ts'
import { Retired } from './retired.ts'
import type { Snapshot } from './snapshot.ts'

function folderFor(t: TestContext): string {
  const folder = mkdtempSync(join(tmpdir(), 'framework-retired-'))
  t.after(() => rmSync(folder, { recursive: true, force: true }))
  return folder
}

async function retiredIn(t: TestContext, folder: string): Promise<Retired> {
  const failures: unknown[] = []
  const retired = new Retired({ folder, interval: 3600, failed: (reason) => failures.push(reason) })
  t.after(async () => {
    await retired.stop()
    assert.deepEqual(failures, [])
  })
  await retired.start()
  return retired
}

async function leaveSnapshot(
  folder: string,
  slot: number,
  pid: number,
  count: number,
): Promise<void> {
  const registry = new Observability(false)
  const requests = new Counter('requests_total')
  requests.increment(count)
  const seconds = new Histogram('seconds', { buckets: [1] })
  for (let at = 0; at < count; at += 1) seconds.observe(0.5)
  const inFlight = new Gauge('in_flight')
  inFlight.set(7)
  const cpu = new Counter('cpu_total', { labels: { pid: String(pid) } })
  cpu.increment(3)
  registry.metrics.push(requests, seconds, inFlight, cpu)
  await registry.dump(new JsonExporter(), workerFile(folder, { slot, pid }))
}

const aggregate = (folder: string): Promise<Snapshot> =>
  Observability.aggregate(snapshotPattern(folder))

function counted({ metrics }: Snapshot): number {
  const [series] = metrics['requests_total']?.series ?? []
  return series !== undefined && 'value' in series ? series.value : 0
}

test('counters and histograms of a dead worker stay, its gauges and what bears its pid go', async (t) => {
  const folder = folderFor(t)
  const retired = await retiredIn(t, folder)
  await leaveSnapshot(folder, 1, 101, 5)
  await leaveSnapshot(folder, 2, 102, 3)
  await retired.retire({ slot: 1, pid: 101 })
  const { metrics } = await aggregate(folder)
  assert.deepEqual(metrics['requests_total']?.series, [{ labels: {}, value: 8 }])
  assert.deepEqual(metrics['seconds']?.series, [
    { labels: {}, buckets: { '1': 8, '+Inf': 8 }, sum: 4, count: 8 },
  ])
  assert.deepEqual(metrics['in_flight']?.series, [{ labels: {}, value: 7 }])
  assert.deepEqual(metrics['cpu_total']?.series, [{ labels: { pid: '102' }, value: 3 }])
  assert.deepEqual(readdirSync(folder).toSorted(), ['retired.json', 'worker-2-102.json'])
})

test('a reader never counts a dying worker twice and never misses one', async (t) => {
  const folder = folderFor(t)
  const retired = await retiredIn(t, folder)
  const workers = Array.from({ length: 40 }, (_, at) => ({ slot: 1 + (at % 4), pid: 100 + at }))
  for (const { slot, pid } of workers) await leaveSnapshot(folder, slot, pid, 1)
  const state = { dying: true }
  const seen = new Set<number>()
  const readers = Array.from({ length: 4 }, async () => {
    while (state.dying) seen.add(counted(await aggregate(folder)))
  })
  for (const worker of workers) await retired.retire(worker)
  state.dying = false
  await Promise.all(readers)
  assert.deepEqual([...seen], [40])
  assert.equal(counted(await aggregate(folder)), 40)
})

test('fractions add up to the same before and after their workers died, in whatever order', async (t) => {
  const folder = folderFor(t)
  const retired = await retiredIn(t, folder)
  const parts = [0.1, 0.2, 0.3, 0.7, 1e-9, 1 / 3]
  for (const [at, part] of parts.entries()) await leaveSnapshot(folder, 1, 101 + at, part)
  const before = counted(await aggregate(folder))
  for (const at of [4, 0, 5, 2, 1, 3]) {
    await retired.retire({ slot: 1, pid: 101 + at })
    assert.equal(counted(await aggregate(folder)), before)
  }
})

test('the list holds who was admitted and has not retired', async (t) => {
  const folder = folderFor(t)
  const retired = await retiredIn(t, folder)
  const list = (): unknown => JSON.parse(readFileSync(join(folder, 'fleet.list'), 'utf8'))
  for (const pid of [101, 102]) retired.admit({ slot: 1, pid })
  assert.deepEqual(list(), ['worker-1-101.json', 'worker-1-102.json'])
  await retired.retire({ slot: 1, pid: 101 })
  assert.deepEqual(list(), ['worker-1-102.json'])
})

test('a worker without a valid file does not affect the others', async (t) => {
  const folder = folderFor(t)
  const retired = await retiredIn(t, folder)
  await leaveSnapshot(folder, 1, 101, 5)
  writeFileSync(workerFile(folder, { slot: 2, pid: 102 }), '{"timestamp":1,"metr')
  writeFileSync(`${workerFile(folder, { slot: 2, pid: 102 })}.102-x.tmp`, 'half')
  await retired.retire({ slot: 2, pid: 102 })
  await retired.retire({ slot: 3, pid: 103 })
  await retired.retire({ slot: 1, pid: 101 })
  assert.equal(counted(await aggregate(folder)), 5)
  assert.deepEqual(readdirSync(folder), ['retired.json'])
})

test('files of an earlier fleet are removed at start, other files are not', async (t) => {
  const folder = folderFor(t)
  await leaveSnapshot(folder, 1, 9, 100)
  writeFileSync(join(folder, 'notes.txt'), 'mine')
  await retiredIn(t, folder)
  assert.equal(counted(await aggregate(folder)), 0)
  assert.deepEqual(readdirSync(folder).toSorted(), ['notes.txt', 'retired.json'])
})

test('a folder that cannot be written to is reported once until it works again', async (t) => {
  const folder = join(folderFor(t), 'observability')
  const failures: unknown[] = []
  const failed = (reason: unknown): unknown => failures.push(Object(reason).code)
  const retired = new Retired({ folder, interval: 3600, failed })
  t.after(() => retired.stop())
  const worker = { slot: 1, pid: 101 }
  writeFileSync(folder, '')
  await retired.start()
  await retired.retire(worker)
  assert.deepEqual(failures, ['E_UNWRITABLE'])
  rmSync(folder)
  await retired.retire(worker)
  rmSync(folder, { recursive: true })
  writeFileSync(folder, '')
  await retired.retire(worker)
  assert.deepEqual(failures, ['E_UNWRITABLE', 'E_UNWRITABLE'])
})
