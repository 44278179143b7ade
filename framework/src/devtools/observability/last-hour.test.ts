import assert from 'node:assert/strict'
import { mkdtempSync, readdirSync, rmSync, statSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { test } from 'node:test'
import type { TestContext } from 'node:test'
import { clearFolder } from '../../metrics/fleet-files.ts'
import { Snapshot } from '../../metrics/snapshot.ts'
import { keepLastHour, lastHour, lastHourText } from './last-hour.ts'

function folderOf(t: TestContext): string {
  const folder = mkdtempSync(join(tmpdir(), 'framework-hour-'))
  t.after(() => rmSync(folder, { recursive: true, force: true }))
  return folder
}

/** What a process of a server has counted. */
function snapshotOf(timestamp: number, requests: number): Snapshot {
  const snapshot = new Snapshot(timestamp)
  const series = [{ labels: {}, value: requests }]
  snapshot.add('http_requests_total', { type: 'counter', help: '', series })
  return snapshot
}

/** A process that begins to count, until it is replaced. */
async function count(folder: string, start: number, requests: number[]): Promise<void> {
  const keep = keepLastHour({ folder, maxAge: 60, interval: 10, token: null })
  const file = join(folder, 'worker-1-1.json')
  for (const [at, total] of requests.entries()) {
    await keep({ file, snapshot: snapshotOf(start + 10 * at, total) })
  }
}

const grown = async (folder: string): Promise<unknown[]> =>
  (await lastHour(folder)).map((step) => [step.at, step.grown['requests']])

test('what was kept is still there for the successor of a process', async (t) => {
  const folder = folderOf(t)
  assert.equal(await lastHourText(folder), '')
  await count(folder, 1_000, [5, 25, 30])
  await clearFolder(folder)
  await count(folder, 1_060, [0, 7])
  assert.deepEqual(await grown(folder), [
    [1_010, 20],
    [1_020, 5],
    [1_070, 7],
  ])
})

test('only its owner may read the file, and it is no snapshot', async (t) => {
  const folder = folderOf(t)
  await count(folder, 1_000, [5, 25])
  const [name = '', ...others] = readdirSync(folder)
  assert.deepEqual(others, [])
  assert.doesNotMatch(name, /\.json$/)
  assert.equal(statSync(join(folder, name)).mode & 0o777, 0o600)
})

test('a file that cannot be read or written does no harm', async (t) => {
  const folder = folderOf(t)
  await count(folder, 1_000, [5, 25])
  const [name = ''] = readdirSync(folder)
  for (const text of ['', '{"version":1,"steps":', '[]', '{"version":0,"steps":[{}]}']) {
    writeFileSync(join(folder, name), text)
    assert.deepEqual(await lastHour(folder), [])
    await count(folder, 1_000, [5, 25])
    assert.deepEqual(await grown(folder), [[1_010, 20]])
  }
  const file = join(folder, 'a-file')
  writeFileSync(file, '')
  await count(file, 1_000, [5, 25])
  assert.deepEqual(await lastHour(file), [])
})

test('a partial file of a killed process is removed by the next', async (t) => {
  const folder = folderOf(t)
  await count(folder, 1_000, [5, 25])
  const [name = ''] = readdirSync(folder)
  writeFileSync(join(folder, `${name}.7-00000000-0000-0000-0000-000000000000.tmp`), '{"ver')
  await clearFolder(folder)
  assert.deepEqual(readdirSync(folder), [name])
})
