import assert from 'node:assert/strict'
import { mkdtempSync, rmSync, utimesSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { test } from 'node:test'
import type { TestContext } from 'node:test'
import { SnapshotFile } from './snapshot-file.ts'
import { writeSnapshotFile } from './write-snapshot-file.ts'

function newPath(t: TestContext): string {
  const folder = mkdtempSync(join(tmpdir(), 'framework-snapshot-'))
  t.after(() => rmSync(folder, { recursive: true, force: true }))
  return join(folder, 'worker-1-2.json')
}

function document(value: number): string {
  const series = [{ labels: { queue: 'mail' }, value }]
  return `${JSON.stringify({ timestamp: 1, metrics: { jobs_total: { type: 'counter', help: '', series } } })}\n`
}

test('a file that was not written since is not parsed again', async (t) => {
  const path = newPath(t)
  await writeSnapshotFile(path, document(1))
  const file = new SnapshotFile(path)
  const first = await file.read(0)
  assert.notEqual(first, null)
  assert.equal(await file.read(0), first)
})

test('a file that was written again is read again, with the labels it had', async (t) => {
  const path = newPath(t)
  const file = new SnapshotFile(path)
  await writeSnapshotFile(path, document(1))
  const before = await file.read(0)
  await writeSnapshotFile(path, document(2))
  const after = await file.read(0)
  const [first] = before?.metrics[0]?.[1].series ?? []
  const [second] = after?.metrics[0]?.[1].series ?? []
  assert.deepEqual(second, { labels: { queue: 'mail' }, value: 2 })
  assert.equal(second?.labels, first?.labels)
})

test('a file that has become too old no longer counts, although it was read before', async (t) => {
  const path = newPath(t)
  const file = new SnapshotFile(path)
  await writeSnapshotFile(path, document(1))
  assert.notEqual(await file.read(60), null)
  const old = Date.now() / 1_000 - 61
  utimesSync(path, old, old)
  assert.equal(await file.read(60), null)
})

test('a file that breaks and is mended counts again', async (t) => {
  const path = newPath(t)
  const file = new SnapshotFile(path)
  await writeSnapshotFile(path, document(1))
  await file.read(0)
  writeFileSync(path, '{"timestamp":')
  assert.equal(await file.read(0), null)
  assert.equal(await file.read(0), null)
  await writeSnapshotFile(path, document(3))
  assert.notEqual(await file.read(0), null)
})
