import assert from 'node:assert/strict'
import { mkdtempSync, readFileSync, readdirSync, renameSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { test } from 'node:test'
import { writeLastSnapshotFile } from './write-snapshot-file.ts'

test('a pending write does not replace the last snapshot of a process', (t) => {
  const folder = mkdtempSync(join(tmpdir(), 'framework-last-'))
  t.after(() => rmSync(folder, { recursive: true, force: true }))
  const path = join(folder, 'worker-1-7.json')
  const older = `${path}.7-x.tmp`
  writeFileSync(older, 'older')
  writeFileSync(join(folder, 'worker-1-70.json'), 'of another')
  writeLastSnapshotFile(path, 'last')
  assert.throws(() => renameSync(older, path), { code: 'ENOENT' })
  assert.equal(readFileSync(path, 'utf8'), 'last')
  assert.deepEqual(readdirSync(folder), ['worker-1-7.json', 'worker-1-70.json'])
})
