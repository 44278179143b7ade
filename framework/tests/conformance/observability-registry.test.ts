import assert from 'node:assert/strict'
import { mkdtempSync, readFileSync, rmSync, utimesSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { test } from 'node:test'
import type { TestContext } from 'node:test'
import {
  type Collector,
  Collectors,
  Counter,
  Exporters,
  Gauge,
  Observability,
  Snapshot,
} from '../../src/public/observability.ts'

const processNames = [
  'process_memory_bytes',
  'process_memory_peak_bytes',
  'process_cpu_seconds_total',
  'process_uptime_seconds',
  'process_open_fds',
]
const runtimeNames = [
  'runtime_gc_runs_total',
  'runtime_gc_collected_total',
  'runtime_included_files',
  'runtime_opcache_memory_used_bytes',
]

function folder(t: TestContext): string {
  const path = mkdtempSync(join(tmpdir(), 'framework-observability-'))
  t.after(() => rmSync(path, { recursive: true, force: true }))
  return path
}

test('collectors = true registers Process and Runtime; false gives a bare registry', () => {
  const registry = new Observability()
  const { metrics } = registry.gather()
  registry.close()
  for (const name of [...processNames, ...runtimeNames]) {
    const series = metrics[name]?.series ?? []
    assert.equal(series.length, 1, name)
    assert.deepEqual(series[0]?.labels, { pid: String(process.pid) })
  }
  assert.deepEqual(new Observability(false).gather().metrics, {})
})

test('collectors can be pushed, chained, and collect() returns their series', () => {
  const registry = new Observability(false)
  const counter = new Counter('mine_total')
  const mine: Collector = { collect: () => [counter] }
  const runtime = new Collectors.Runtime()
  assert.equal(
    registry.collectors.push(new Collectors.Process()).push(mine, runtime),
    registry.collectors,
  )
  const names = registry.collectors.collect().map(({ name }) => name)
  registry.close()
  assert.deepEqual(names.slice(0, 6), [...processNames, 'mine_total'])
  assert.ok(runtimeNames.every((name) => names.includes(name)))
})

test('metrics.push is chainable, and gather reads every instrument and runs every collector', () => {
  const registry = new Observability(false)
  let runs = 0
  registry.metrics.push(new Counter('a_total')).push(new Gauge('b'))
  registry.collectors.push({
    collect: () => [new Counter('runs_total', { observe: () => ++runs })],
  })
  registry.gather()
  const snapshot = registry.gather()
  assert.ok(snapshot instanceof Snapshot)
  assert.deepEqual(Object.keys(snapshot.metrics), ['a_total', 'b', 'runs_total'])
  assert.equal(runs, 2)
})

test('each worker dumps, and any of them can aggregate all', async (t) => {
  const root = folder(t)
  for (const worker of [1, 2, 3]) {
    const registry = new Observability(false)
    const labels = { pid: String(worker) }
    registry.metrics.push(
      new Counter('requests_total', { help: 'Requests.', observe: () => worker }),
    )
    registry.metrics.push(new Gauge('age', { merge: 'max', observe: () => worker * 10 }))
    registry.metrics.push(new Gauge('memory_bytes', { labels, observe: () => 5 }))
    const path = join(root, 'made', `worker-${worker}.json`)
    assert.equal(await registry.dump(new Exporters.JSON(), path), true)
  }
  const old = Date.now() / 1_000 - 100
  utimesSync(join(root, 'made', 'worker-3.json'), old, old)
  const pattern = join(root, 'made', 'worker-*.json')
  const all = await Observability.aggregate(pattern)
  assert.deepEqual(all.metrics['requests_total']?.series, [{ labels: {}, value: 6 }])
  assert.deepEqual(all.metrics['age']?.series, [{ labels: {}, value: 30 }])
  assert.equal(all.metrics['memory_bytes']?.series.length, 3)
  const fresh = await Observability.aggregate(pattern, 60)
  assert.deepEqual(fresh.metrics['requests_total']?.series, [{ labels: {}, value: 3 }])
})

test('a value JSON cannot represent: export is empty, dump is false, the old file intact', async (t) => {
  const path = join(folder(t), 'worker.json')
  const registry = new Observability(false)
  const gauge = new Gauge('a')
  registry.metrics.push(gauge)
  await registry.dump(new Exporters.JSON(), path)
  const before = readFileSync(path, 'utf8')
  gauge.set(Infinity)
  assert.equal(registry.export(new Exporters.JSON()), '')
  assert.equal(await registry.dump(new Exporters.JSON(), path), false)
  assert.equal(readFileSync(path, 'utf8'), before)
})

test('Snapshot.import rebuilds what the JSON exporter wrote', () => {
  const registry = new Observability()
  registry.metrics.push(new Gauge('age', { merge: 'last', observe: () => 0.1 }))
  const snapshot = registry.gather()
  registry.close()
  const rebuilt = Snapshot.import(JSON.parse(new Exporters.JSON().export(snapshot)))
  assert.equal(rebuilt.timestamp, snapshot.timestamp)
  assert.deepEqual(rebuilt.metrics, snapshot.metrics)
})

test('the shared handle is null until it is set', () => {
  assert.equal(Observability.Instance, null)
  const registry = new Observability(false)
  Observability.Instance = registry
  assert.equal(Observability.Instance, registry)
  Observability.Instance = null
})
