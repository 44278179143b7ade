import assert from 'node:assert/strict'
import { mkdtempSync, rmSync, statSync, utimesSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { test } from 'node:test'
import type { TestContext } from 'node:test'
import { OtlpExporter } from '../metrics/exporters/otlp.ts'
import { Observability } from '../metrics/observability.ts'
import { Snapshot } from '../metrics/snapshot.ts'
import { fleetStart, shipMetrics } from './ship-metrics.ts'
import type { ShipOptions } from './ship-metrics.ts'
import type { ShipOutcome } from './deliver.ts'

function folderWith(t: TestContext, files: Readonly<Record<string, unknown>>): string {
  const folder = mkdtempSync(join(tmpdir(), 'framework-ship-'))
  t.after(() => rmSync(folder, { recursive: true }))
  for (const [name, document] of Object.entries(files)) {
    writeFileSync(join(folder, name), JSON.stringify(document))
  }
  return folder
}

const counted = (value: number): unknown => ({
  timestamp: 1_700_000_000,
  metrics: { jobs_total: { type: 'counter', help: '', series: [{ labels: {}, value }] } },
})

interface Shipped {
  readonly outcome: ShipOutcome
  readonly bodies: readonly string[]
}

async function ship(options: ShipOptions): Promise<Shipped> {
  const bodies: string[] = []
  const outcome = await shipMetrics({
    ...options,
    fetch: async (_url, init) => {
      assert.ok(Buffer.isBuffer(init?.body))
      bodies.push(init.body.toString())
      return new Response('{}')
    },
  })
  return { outcome, bodies }
}

test('the snapshots of a folder are posted as one, in the form of the exporter', async (t) => {
  const folder = folderWith(t, { 'worker-1-7.json': counted(2), 'worker-2-8.json': counted(3) })
  const { outcome, bodies } = await ship({ folder, service: 'shop', start: 1_600_000_000 })
  const exporter = new OtlpExporter({ service: 'shop', start: 1_600_000_000 })
  assert.deepEqual(bodies, [exporter.export(Snapshot.import(counted(5)))])
  assert.deepEqual(outcome, { result: 'sent', status: 200, attempts: 1, notice: null })
})

test('by default the service is called framework and started with its folder', async (t) => {
  const folder = folderWith(t, {
    'worker-1-7.json': counted(2),
    'retired.json': { timestamp: 1_700_000_000, metrics: {}, start: 1_699_999_999 },
  })
  const { bodies } = await ship({ folder })
  const exporter = new OtlpExporter({ start: 1_699_999_999 })
  const snapshot = await Observability.aggregate(join(folder, '*.json'))
  assert.deepEqual(bodies, [exporter.export(snapshot)])
})

test('files older than maxAge, 60 s by default, do not count', async (t) => {
  const folder = folderWith(t, { 'worker-1-7.json': counted(2) })
  const old = Date.now() / 1_000 - 61
  utimesSync(join(folder, 'worker-1-7.json'), old, old)
  const { outcome, bodies } = await ship({ folder })
  assert.deepEqual(bodies, [])
  assert.deepEqual(outcome, {
    result: 'empty',
    status: null,
    attempts: 0,
    notice: `there is no snapshot from the last 60 seconds in ${folder}; is the server running with metrics on?`,
  })
  assert.equal((await ship({ folder, maxAge: 90 })).outcome.result, 'sent')
  assert.equal((await ship({ folder, maxAge: 0 })).outcome.result, 'sent')
})

test('a folder that is not there, or holds other things, has nothing to send', async (t) => {
  for (const folder of [
    '/does/not/exist',
    folderWith(t, { 'notes.json': 'x', 'a.txt': counted(1) }),
  ]) {
    assert.equal((await ship({ folder })).outcome.result, 'empty')
  }
})

for (const wrong of [
  { endpoint: 'localhost:4318' },
  { headers: { 'a b': 'c' } },
  { timeoutMs: -1 },
  { timeoutMs: Number.NaN },
  { timeoutMs: 2 ** 40 },
  { attempts: 0 },
  { retryFor: Infinity },
  { maxAge: -1 },
]) {
  test(`options that can never work are refused: ${JSON.stringify(wrong)}`, async (t) => {
    const folder = folderWith(t, { 'worker-1-7.json': counted(2) })
    await assert.rejects(ship({ folder, ...wrong }), {
      name: 'InvalidArgumentException',
      code: 'E_INVALID_ARGUMENT',
    })
  })
}

const later = Date.now() / 1_000 + 3_600

function folderWithRetired(t: TestContext, retired: string | null): string {
  const folder = mkdtempSync(join(tmpdir(), 'framework-fleet-start-'))
  t.after(() => rmSync(folder, { recursive: true }))
  if (retired !== null) writeFileSync(join(folder, 'retired.json'), retired)
  return folder
}

test('the start of a fleet is the recorded one', async (t) => {
  const folder = folderWithRetired(t, '{"timestamp":1700000100,"metrics":{},"start":1700000000.25}')
  assert.equal(await fleetStart(folder, new Snapshot(later)), 1_700_000_000.25)
})

for (const retired of [null, '', '[]', '{"start":"x"}', '{"start":0}', '{"timestamp":1}']) {
  test(`where the owner wrote ${retired}, the birth of the folder counts`, async (t) => {
    const folder = folderWithRetired(t, retired)
    const { birthtimeMs } = statSync(folder)
    assert.ok(birthtimeMs > 0)
    assert.equal(await fleetStart(folder, new Snapshot(later)), birthtimeMs / 1_000)
  })
}

test('a fleet never began after it was measured', async (t) => {
  assert.equal(await fleetStart(folderWithRetired(t, null), new Snapshot(1_000)), 1_000)
})

test('without anything to go by the start is long ago, and always the same', async () => {
  assert.equal(await fleetStart('/does/not/exist', new Snapshot(later)), 1)
})
