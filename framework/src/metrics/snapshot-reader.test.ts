import assert from 'node:assert/strict'
import { execFileSync } from 'node:child_process'
import { mkdirSync, mkdtempSync, rmSync, symlinkSync, utimesSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { test } from 'node:test'
import type { TestContext } from 'node:test'
import { JsonExporter } from './exporters/json.ts'
import { Observability } from './observability.ts'
import { SnapshotReader } from './snapshot-reader.ts'
import { Snapshot } from './snapshot.ts'
import { withMembers } from './write-snapshot-file.ts'

function folder(t: TestContext): string {
  const path = mkdtempSync(join(tmpdir(), 'framework-snapshots-'))
  t.after(() => rmSync(path, { recursive: true, force: true }))
  return path
}

function document(timestamp: number, value: number, labels: Record<string, string> = {}): string {
  const snapshot = new Snapshot(timestamp)
  snapshot.add('jobs_total', { type: 'counter', help: 'Jobs.', series: [{ labels, value }] })
  return new JsonExporter().export(snapshot)
}

test('all files that match the pattern are merged', async (t) => {
  const root = folder(t)
  mkdirSync(join(root, 'sub'))
  writeFileSync(join(root, 'worker-1.json'), document(100, 1))
  writeFileSync(join(root, 'worker-2.json'), document(300, 2))
  writeFileSync(join(root, 'worker-3.json'), document(200, 4, { queue: 'mail' }))
  writeFileSync(join(root, 'other.json'), document(900, 8))
  writeFileSync(join(root, 'sub', 'worker-4.json'), document(900, 16))
  const { timestamp, metrics } = await Observability.aggregate(join(root, 'worker-*.json'))
  assert.equal(timestamp, 300)
  assert.deepEqual(metrics['jobs_total']?.series, [
    { labels: {}, value: 3 },
    { labels: { queue: 'mail' }, value: 4 },
  ])
})

test('nothing that matches is an empty snapshot of now', async (t) => {
  const { timestamp, metrics } = await Observability.aggregate(join(folder(t), 'none', '*.json'))
  assert.deepEqual(metrics, {})
  assert.ok(Math.abs(timestamp - Date.now() / 1_000) < 5)
})

test('files that were last written longer ago than the age allows are skipped', async (t) => {
  const root = folder(t)
  const pattern = join(root, '*.json')
  // The time of the file counts, not the one inside.
  writeFileSync(join(root, 'fresh.json'), document(1, 1))
  writeFileSync(join(root, 'old.json'), document(Date.now() / 1_000, 10))
  const old = Date.now() / 1_000 - 61
  utimesSync(join(root, 'old.json'), old, old)
  const value = async (maxAge?: number): Promise<unknown> => {
    const { metrics } = await Observability.aggregate(pattern, maxAge)
    return metrics['jobs_total']?.series
  }
  assert.deepEqual(await value(60), [{ labels: {}, value: 1 }])
  assert.deepEqual(await value(120), [{ labels: {}, value: 11 }])
  assert.deepEqual(await value(0), [{ labels: {}, value: 11 }])
  assert.deepEqual(await value(), [{ labels: {}, value: 11 }])
})

test('unreadable, broken and foreign files are skipped entirely', async (t) => {
  const root = folder(t)
  const good = document(1, 1)
  const files: Readonly<Record<string, string>> = {
    'good.json': good,
    'cut.json': good.slice(0, -5),
    'empty.json': '',
    'text.json': 'not JSON',
    'null.json': 'null',
    'foreign.json': '{"name":"package"}',
    'list.json': '[1,2]',
    'bytes.json': '\u0000\u{1f4a9}',
    'worker.json.17-x.tmp': good,
  }
  for (const [name, text] of Object.entries(files)) writeFileSync(join(root, name), text)
  mkdirSync(join(root, 'folder.json'))
  symlinkSync(join(root, 'nowhere'), join(root, 'dangling.json'))
  symlinkSync(join(root, 'loop.json'), join(root, 'loop.json'))
  execFileSync('mkfifo', [join(root, 'pipe.json')])
  writeFileSync(join(root, 'huge.json'), ' '.repeat(64 * 1_024 * 1_024) + good)
  const { metrics } = await Observability.aggregate(join(root, '*'))
  assert.deepEqual(metrics['jobs_total']?.series, [{ labels: {}, value: 1 }])
})

test('a file that breaks in the middle counts for nothing', async (t) => {
  const root = folder(t)
  const snapshot = new Snapshot(1)
  const series = Array.from({ length: 5_000 }, (_, at) => ({ labels: { at: `${at}` }, value: 1 }))
  snapshot.add('jobs_total', { type: 'counter', help: '', series })
  const text = new JsonExporter().export(snapshot)
  const middle = text.indexOf('"value"', text.length / 2)
  writeFileSync(join(root, 'a.json'), `${text.slice(0, middle)}?${text.slice(middle)}`)
  assert.deepEqual((await Observability.aggregate(join(root, '*'))).metrics, {})
})

test('others get their turn between the files of a fleet', async (t) => {
  const root = folder(t)
  const snapshot = new Snapshot(1)
  const series = Array.from({ length: 500 }, (_, at) => ({ labels: { at: `${at}` }, value: 1 }))
  snapshot.add('jobs_total', { type: 'counter', help: '', series })
  for (let at = 10; at < 20; at += 1) {
    writeFileSync(join(root, `${at}.json`), new JsonExporter().export(snapshot))
  }
  const parse = t.mock.method(JSON, 'parse')
  const parsedByTurn = new Set<number>()
  let turn = setImmediate(function next() {
    parsedByTurn.add(parse.mock.callCount())
    turn = setImmediate(next)
  })
  const { metrics } = await Observability.aggregate(join(root, '*'))
  clearImmediate(turn)
  assert.equal(metrics['jobs_total']?.series.length, 500)
  assert.equal(parse.mock.callCount(), 10)
  assert.equal(parsedByTurn.size, 11, 'no turn parses two files')
})

test('a file that another one names as retired is not counted a second time', async (t) => {
  const root = folder(t)
  const retired = document(5, 10).replace(
    /\}\n$/,
    ',"retired":["worker-1-7.json","gone.json",3]}\n',
  )
  writeFileSync(join(root, 'retired.json'), retired)
  writeFileSync(join(root, 'worker-1-7.json'), document(1, 1))
  writeFileSync(join(root, 'worker-2-8.json'), document(1, 2))
  const { metrics } = await Observability.aggregate(join(root, '*.json'))
  assert.deepEqual(metrics['jobs_total']?.series, [{ labels: {}, value: 12 }])
})

test('the snapshot of this process counts in place of its file, without non-finite values', async (t) => {
  const root = folder(t)
  const file = join(root, 'worker-1.json')
  writeFileSync(file, document(100, 1))
  writeFileSync(join(root, 'worker-2.json'), document(200, 2))
  const snapshot = new Snapshot(300)
  snapshot.add('jobs_total', {
    type: 'counter',
    help: 'Jobs.',
    series: [{ labels: {}, value: 10 }],
  })
  snapshot.add('load', { type: 'gauge', help: '', series: [{ labels: {}, value: NaN }] })
  const reader = new SnapshotReader(join(root, '*.json'), 0)
  const { timestamp, metrics } = await reader.merge({ file, snapshot })
  assert.equal(timestamp, 300)
  assert.deepEqual(metrics['jobs_total']?.series, [{ labels: {}, value: 12 }])
  assert.deepEqual(metrics['load']?.series ?? [], [])
})

test('a second read finds new files and drops deleted ones', async (t) => {
  const root = folder(t)
  const reader = new SnapshotReader(join(root, '*.json'), 0)
  const total = async (): Promise<unknown> =>
    (await reader.merge()).metrics['jobs_total']?.series.map((one) => 'value' in one && one.value)
  writeFileSync(join(root, 'worker-1.json'), document(100, 1))
  writeFileSync(join(root, 'worker-2.json'), document(100, 2))
  assert.deepEqual(await total(), [3])
  assert.deepEqual(await total(), [3])
  rmSync(join(root, 'worker-1.json'))
  writeFileSync(join(root, 'worker-2.json'), document(101, 20))
  writeFileSync(join(root, 'worker-3.json'), document(101, 300, { queue: 'mail' }))
  assert.deepEqual(await total(), [20, 300])
})

test('the slowest statements of all processes are merged; what makes no sense is ignored', async (t) => {
  const root = folder(t)
  const path = (slot: number): string => join(root, `worker-${slot}-${slot}.json`)
  const one = { statement: 'SELECT a', count: 1, total: 1, max: 1, caller: 5 }
  const bad = [null, 'x', { ...one, count: '1' }, { ...one, max: -1 }, { count: 1 }, one]
  writeFileSync(path(1), withMembers(document(1, 1), { statements: [{ ...one, count: 100 }] }))
  writeFileSync(path(2), withMembers(document(1, 1), { statements: bad }))
  writeFileSync(path(3), withMembers(document(1, 1), { statements: 'none' }))
  writeFileSync(path(4), document(1, 1))
  const own = { ...one, max: 2, caller: 'shop/orders.ts:12' }
  const reader = new SnapshotReader(join(root, '*.json'), 0)
  assert.deepEqual(await reader.statements([own], path(1)), [{ ...own, count: 2, total: 2 }])
})
