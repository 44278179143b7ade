import assert from 'node:assert/strict'
import { mkdtempSync, readdirSync, rmSync, utimesSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { test } from 'node:test'
import type { TestContext } from 'node:test'
import { snapshotPattern, workerFile } from './fleet-files.ts'
import { membersBeside, membersIn, writeFleetList } from './fleet-list.ts'
import type { FleetMembers } from './fleet-list.ts'
import { lockFolder } from './folder-lock.ts'
import { SnapshotReader } from './snapshot-reader.ts'

const anHourAgo = Date.now() / 1_000 - 3_600

function newFolder(t: TestContext): string {
  const folder = mkdtempSync(join(tmpdir(), 'framework-list-'))
  t.after(() => rmSync(folder, { recursive: true, force: true }))
  return folder
}

function leave(path: string, value: number, writtenAt = Date.now() / 1_000): void {
  const series = [{ labels: {}, value }]
  const metrics = { jobs_total: { type: 'counter', help: '', series } }
  writeFileSync(path, JSON.stringify({ timestamp: 1, metrics }))
  utimesSync(path, writtenAt, writtenAt)
}

async function total(folder: string, members: FleetMembers): Promise<number> {
  const reader = new SnapshotReader(snapshotPattern(folder), 60, members)
  const [series] = (await reader.merge()).metrics['jobs_total']?.series ?? []
  return series !== undefined && 'value' in series ? series.value : 0
}

/** A fleet of two, of which one has been silent for an hour, and what others left beside it. */
function plantFleet(t: TestContext): string {
  const folder = newFolder(t)
  writeFleetList(folder, ['worker-1-101.json', 'worker-1-102.json'])
  leave(workerFile(folder, { slot: 1, pid: 101 }), 1)
  leave(workerFile(folder, { slot: 1, pid: 102 }), 10, anHourAgo)
  leave(join(folder, 'retired.json'), 100, anHourAgo)
  // Of workers of an earlier fleet, who lived on for a moment.
  leave(workerFile(folder, { slot: 1, pid: 103 }), 1_000)
  leave(workerFile(folder, { slot: 1, pid: 99 }), 1_000)
  leave(join(folder, 'cron.json'), 10_000)
  leave(join(folder, 'old-cron.json'), 100_000, anHourAgo)
  return folder
}

test('for a worker the list decides which workers count, and age about everything else', async (t) => {
  const folder = plantFleet(t)
  const own = workerFile(folder, { slot: 1, pid: 101 })
  assert.equal(await total(folder, membersBeside(own)), 10_111)
  assert.deepEqual(
    readdirSync(folder).filter((name) => name.endsWith('.tmp')),
    [],
  )
})

test('for a worker that is not on the list the age of files decides', async (t) => {
  const folder = plantFleet(t)
  const own = workerFile(folder, { slot: 1, pid: 99 })
  assert.equal(await total(folder, membersBeside(own)), 12_001)
  rmSync(join(folder, 'fleet.list'))
  assert.equal(await total(folder, membersBeside(own)), 12_001)
  writeFileSync(join(folder, 'fleet.list'), '["worker')
  assert.equal(await total(folder, membersBeside(own)), 12_001)
})

test('for another process the list decides as long as the server lives', async (t) => {
  const folder = plantFleet(t)
  assert.equal(await total(folder, membersIn(folder)), 12_001)
  const release = await lockFolder(folder)
  assert.equal(await total(folder, membersIn(folder)), 10_111)
  release()
  assert.equal(await total(folder, membersIn(folder)), 12_001)
})
