import assert from 'node:assert/strict'
import {
  closeSync,
  mkdtempSync,
  openSync,
  readdirSync,
  readFileSync,
  rmSync,
  writeFileSync,
} from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { test } from 'node:test'
import type { TestContext } from 'node:test'
import { Throwables, createThrowables } from '../errors/throwables/throwables.ts'
import type { ReportContext } from '../errors/throwables/throwables.ts'
import { JsonExporter } from './exporters/json.ts'
import { PrometheusExporter } from './exporters/prometheus.ts'
import { Counter } from './instruments/counter.ts'
import { Gauge } from './instruments/gauge.ts'
import { Histogram } from './instruments/histogram.ts'
import { Observability } from './observability.ts'
import { Snapshot } from './snapshot.ts'

interface Reports {
  readonly throwables: Throwables
  readonly reports: [string, ReportContext][]
}

function recording(): Reports {
  const throwables = createThrowables()
  const reports: [string, ReportContext][] = []
  throwables.reporters.push((error, context) => reports.push([error.message, context]))
  return { throwables, reports }
}

function folder(t: TestContext): string {
  const path = mkdtempSync(join(tmpdir(), 'framework-observability-'))
  t.after(() => rmSync(path, { recursive: true, force: true }))
  return path
}

test('gathering reads every instrument, grouped by name in the order they were pushed', () => {
  const registry = new Observability(false)
  const jobs = new Counter('jobs_total', { help: 'Jobs.', labels: { queue: 'mail' } })
  const size = new Histogram('size', { buckets: [1] })
  const images = new Counter('jobs_total', { help: 'Other.', labels: { queue: 'images' } })
  const age = new Gauge('age', { merge: 'max' })
  assert.equal(registry.metrics.push(jobs).push(size, images).push(age), registry.metrics)
  jobs.increment(2)
  const { metrics, timestamp } = registry.gather()
  assert.ok(Math.abs(timestamp - Date.now() / 1_000) < 1)
  assert.deepEqual(Object.entries(metrics), [
    [
      'jobs_total',
      {
        type: 'counter',
        help: 'Jobs.',
        series: [
          { labels: { queue: 'mail' }, value: 2 },
          { labels: { queue: 'images' }, value: 0 },
        ],
      },
    ],
    [
      'size',
      {
        type: 'histogram',
        help: '',
        series: [{ labels: {}, buckets: { '1': 0, '+Inf': 0 }, sum: 0, count: 0 }],
      },
    ],
    ['age', { type: 'gauge', help: '', merge: 'max', series: [{ labels: {}, value: 0 }] }],
  ])
})

test('a snapshot does not change when instruments do', () => {
  const registry = new Observability(false)
  const counter = new Counter('a_total')
  registry.metrics.push(counter)
  const before = registry.gather()
  counter.increment()
  assert.deepEqual(before.metrics['a_total']?.series, [{ labels: {}, value: 0 }])
})

test('members of a family are gathered with their root, and never twice', () => {
  const registry = new Observability(false)
  const counter = new Counter('a_total')
  const member = counter.with({ a: '1' })
  member.increment()
  registry.metrics.push(counter, member, counter)
  assert.deepEqual(registry.gather().metrics['a_total']?.series, [{ labels: { a: '1' }, value: 1 }])
  registry.metrics.remove(counter)
  assert.deepEqual(registry.gather().metrics['a_total']?.series, [{ labels: { a: '1' }, value: 1 }])
  registry.metrics.remove(member)
  assert.deepEqual(registry.gather().metrics, {})
})

test('two instruments of equal name and labels are one series', () => {
  const registry = new Observability(false)
  const pair = [new Counter('a_total'), new Counter('a_total')]
  for (const counter of pair) counter.increment(2)
  registry.metrics.push(...pair)
  assert.deepEqual(registry.gather().metrics['a_total']?.series, [{ labels: {}, value: 4 }])
})

test('an instrument of another type or with other buckets is left out and reported once', () => {
  const { throwables, reports } = recording()
  const registry = new Observability(false, { throwables })
  registry.metrics.push(new Counter('a'), new Gauge('a'))
  registry.metrics.push(new Histogram('b', { buckets: [1] }), new Histogram('b', { buckets: [2] }))
  registry.gather()
  const { metrics } = registry.gather()
  assert.equal(metrics['a']?.type, 'counter')
  assert.equal(metrics['b']?.series.length, 1)
  assert.deepEqual(
    reports.map(([, context]) => context),
    [{ metric: 'a' }, { metric: 'b' }],
  )
})

test('an instrument whose samples another one writes already is left out and reported once', () => {
  const { throwables, reports } = recording()
  const registry = new Observability(false, { throwables })
  registry.metrics.push(new Histogram('wait'), new Counter('wait_count'), new Gauge('wait_sum'))
  registry.metrics.push(
    new Counter('size_bucket'),
    new Histogram('size'),
    new Histogram('wait_count'),
  )
  registry.metrics.push(new Gauge('wait_total'), new Gauge('waits_count'))
  registry.gather()
  const { metrics } = registry.gather()
  assert.deepEqual(Object.keys(metrics), ['wait', 'size_bucket', 'wait_total', 'waits_count'])
  assert.deepEqual(reports, [
    [
      'the counter wait_count is left out: another instrument writes samples named wait_count; rename one of them',
      { metric: 'wait_count' },
    ],
    [
      'the gauge wait_sum is left out: another instrument writes samples named wait_sum; rename one of them',
      { metric: 'wait_sum' },
    ],
    [
      'the histogram size is left out: another instrument writes samples named size_bucket; rename one of them',
      { metric: 'size' },
    ],
    [
      'the histogram wait_count is left out: another instrument writes samples named wait_count; rename one of them',
      { metric: 'wait_count' },
    ],
  ])
})

test('an observe closure that throws costs its own series and is reported once', () => {
  const { throwables, reports } = recording()
  const registry = new Observability(false, { throwables })
  let broken = true
  const observe = (): number => {
    if (broken) throw new Error('no pool')
    return 7
  }
  registry.metrics.push(new Gauge('pool', { observe }), new Gauge('pool', { labels: { a: '1' } }))
  registry.metrics.push(new Gauge('alone', { observe }))
  for (let round = 0; round < 3; round++) {
    const { metrics } = registry.gather()
    assert.deepEqual(Object.keys(metrics), ['pool'])
    assert.deepEqual(metrics['pool']?.series, [{ labels: { a: '1' }, value: 0 }])
  }
  assert.deepEqual(reports, [
    ['no pool', { metric: 'pool' }],
    ['no pool', { metric: 'alone' }],
  ])
  broken = false
  assert.deepEqual(registry.gather().metrics['alone']?.series, [{ labels: {}, value: 7 }])
})

test('a collector that throws costs its own series and is reported once', () => {
  const { throwables, reports } = recording()
  const registry = new Observability(false, { throwables })
  class Broken {
    collect(): never {
      throw new Error('no /proc')
    }
  }
  const bare: unknown = Object.assign(Object.create(null), {
    collect: () => {
      throw new Error('bare')
    },
  })
  registry.collectors.push(new Broken(), { collect: () => [new Counter('a_total')] })
  Reflect.apply(registry.collectors.push.bind(registry.collectors), null, [bare])
  for (let round = 0; round < 3; round++) {
    assert.deepEqual(Object.keys(registry.gather().metrics), ['a_total'])
  }
  assert.deepEqual(reports, [
    ['no /proc', { collector: 'Broken' }],
    ['bare', { collector: '' }],
  ])
})

test('the registry has the collectors of process and runtime, or is bare', () => {
  const registry = new Observability()
  const names = Object.keys(registry.gather().metrics)
  registry.close()
  assert.ok(names.includes('process_memory_bytes') && names.includes('runtime_gc_runs_total'))
  assert.deepEqual(new Observability(false).gather().metrics, {})
  assert.deepEqual(registry.gather().metrics, {})
})

test('exporting encodes the current snapshot', () => {
  const registry = new Observability(false)
  const counter = new Counter('a_total')
  registry.metrics.push(counter)
  counter.increment(3)
  assert.equal(registry.export(new PrometheusExporter()), '# TYPE a_total counter\na_total 3\n')
})

test('anything but an instrument is rejected', () => {
  const { metrics } = new Observability(false)
  for (const other of [null, undefined, {}, { read: () => 1 }, Counter, 'text']) {
    assert.throws(() => Reflect.apply(metrics.push.bind(metrics), null, [other]), {
      code: 'E_INVALID_ARGUMENT',
    })
  }
})

test('dumping makes the folder and leaves the one file', async (t) => {
  const path = join(folder(t), 'deep', 'down', 'worker-1.json')
  const registry = new Observability(false)
  registry.metrics.push(new Counter('a_total'))
  assert.equal(await registry.dump(new JsonExporter(), path), true)
  assert.deepEqual(readdirSync(join(path, '..')), ['worker-1.json'])
  const { metrics } = Snapshot.import(JSON.parse(readFileSync(path, 'utf8')))
  assert.deepEqual(metrics, registry.gather().metrics)
})

test('a reader of the old file gets it complete while it is replaced', async (t) => {
  const path = join(folder(t), 'worker-1.json')
  const registry = new Observability(false)
  const counter = new Counter('a_total')
  registry.metrics.push(counter)
  await registry.dump(new JsonExporter(), path)
  const before = readFileSync(path, 'utf8')
  const reader = openSync(path, 'r')
  t.after(() => closeSync(reader))
  counter.increment()
  assert.equal(await registry.dump(new JsonExporter(), path), true)
  assert.equal(readFileSync(reader, 'utf8'), before)
  assert.notEqual(readFileSync(path, 'utf8'), before)
})

test('an empty encoding leaves the old file intact', async (t) => {
  const path = join(folder(t), 'worker-1.json')
  const { throwables, reports } = recording()
  const registry = new Observability(false, { throwables })
  const gauge = new Gauge('a')
  registry.metrics.push(gauge)
  await registry.dump(new JsonExporter(), path)
  const before = readFileSync(path, 'utf8')
  gauge.set(NaN)
  assert.equal(await registry.dump(new JsonExporter(), path), false)
  assert.equal(readFileSync(path, 'utf8'), before)
  assert.deepEqual(readdirSync(join(path, '..')), ['worker-1.json'])
  assert.deepEqual(reports, [])
})

test('a failed write returns false, leaves nothing behind and is reported once until it works', async (t) => {
  const root = folder(t)
  const { throwables, reports } = recording()
  const registry = new Observability(false, { throwables })
  writeFileSync(join(root, 'file'), '')
  const taken = join(root, 'taken.json')
  const blocked = join(root, 'file', 'worker-1.json')
  const fine = join(root, 'worker-1.json')
  assert.equal(await registry.dump(new JsonExporter(), blocked), false)
  assert.equal(await registry.dump(new JsonExporter(), blocked), false)
  assert.deepEqual(
    reports.map(([, context]) => context),
    [{ file: blocked }],
  )
  assert.equal(await registry.dump(new JsonExporter(), fine), true)
  // A folder cannot be replaced by a file.
  await registry.dump(new JsonExporter(), join(taken, 'inside.json'))
  assert.equal(await registry.dump(new JsonExporter(), taken), false)
  assert.deepEqual(readdirSync(root).toSorted(), ['file', 'taken.json', 'worker-1.json'])
  assert.equal(reports.length, 2)
})

test('an exporter that throws makes the dump false', async (t) => {
  const { throwables, reports } = recording()
  const registry = new Observability(false, { throwables })
  const broken = {
    export: (): never => {
      throw new Error('no encoding')
    },
  }
  assert.equal(await registry.dump(broken, join(folder(t), 'a.json')), false)
  assert.equal(reports.length, 1)
  assert.throws(() => registry.export(broken), /no encoding/)
})

test('dumps that overlap end with the newest values', async (t) => {
  const path = join(folder(t), 'worker-1.json')
  const registry = new Observability(false)
  const counter = new Counter('a_total')
  registry.metrics.push(counter)
  const dumps = Array.from({ length: 20 }, () => {
    counter.increment()
    return registry.dump(new JsonExporter(), path)
  })
  assert.deepEqual(new Set(await Promise.all(dumps)), new Set([true]))
  assert.match(readFileSync(path, 'utf8'), /"value":20\}/)
  assert.deepEqual(readdirSync(join(path, '..')), ['worker-1.json'])
})

test('the shared handle is null until somebody sets it', () => {
  assert.equal(Observability.Instance, null)
})

test('followers get the registry of the process, now and whenever one is set', () => {
  const reporters = [...Throwables.reporters]
  const told: Observability[] = []
  try {
    const first = new Observability(false)
    const second = new Observability(false)
    const leave = Observability.follow((registry) => told.push(registry))
    assert.deepEqual(told, [])
    Observability.Instance = first
    Observability.Instance = null
    Observability.Instance = second
    const late: Observability[] = []
    Observability.follow((registry) => late.push(registry))()
    leave()
    Observability.Instance = first
    assert.ok(told.length === 2 && told[0] === first && told[1] === second)
    assert.ok(late.length === 1 && late[0] === second)
  } finally {
    Observability.Instance = null
    Throwables.reporters.splice(0, Infinity, ...reporters)
  }
})

test('snapshots are written in the order in which they were taken', async (t) => {
  const folder = mkdtempSync(join(tmpdir(), 'framework-order-'))
  t.after(() => rmSync(folder, { recursive: true, force: true }))
  const path = join(folder, 'worker.json')
  const registry = new Observability(false)
  const jobs = new Counter('jobs_total')
  registry.metrics.push(jobs)
  const exporter = new JsonExporter()
  const written = (): number =>
    Number(/"value":(\d+)/.exec(readFileSync(path, 'utf8'))?.[1] ?? Number.NaN)
  const first = registry.dump(exporter, path)
  const second = registry.dump(exporter, path).then(written)
  jobs.increment()
  const third = registry.write(registry.gather(), exporter, path).then(written)
  jobs.increment()
  await first
  assert.deepEqual(await Promise.all([second, third]), [0, 1])
})
