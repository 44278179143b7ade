import assert from 'node:assert/strict'
import { mkdtempSync, rmSync, statSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { test } from 'node:test'
import type { TestContext } from 'node:test'
import { Snapshot } from '../metrics/snapshot.ts'
import { fleetStart } from './fleet-start.ts'

const later = Date.now() / 1_000 + 3_600

function folderWith(t: TestContext, retired: string | null): string {
  const folder = mkdtempSync(join(tmpdir(), 'framework-fleet-start-'))
  t.after(() => rmSync(folder, { recursive: true }))
  if (retired !== null) writeFileSync(join(folder, 'retired.json'), retired)
  return folder
}

test('the start of a fleet is the recorded one', async (t) => {
  const folder = folderWith(t, '{"timestamp":1700000100,"metrics":{},"start":1700000000.25}')
  assert.equal(await fleetStart(folder, new Snapshot(later)), 1_700_000_000.25)
})

for (const retired of [null, '', '[]', '{"start":"x"}', '{"start":0}', '{"timestamp":1}']) {
  test(`where the owner wrote ${retired}, the birth of the folder counts`, async (t) => {
    const folder = folderWith(t, retired)
    const { birthtimeMs } = statSync(folder)
    assert.ok(birthtimeMs > 0)
    assert.equal(await fleetStart(folder, new Snapshot(later)), birthtimeMs / 1_000)
  })
}

test('a fleet never began after it was measured', async (t) => {
  assert.equal(await fleetStart(folderWith(t, null), new Snapshot(1_000)), 1_000)
})

test('without anything to go by the start is long ago, and always the same', async () => {
  assert.equal(await fleetStart('/does/not/exist', new Snapshot(later)), 1)
})
