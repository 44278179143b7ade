import assert from 'node:assert/strict'
import { globSync, mkdirSync, mkdtempSync, readdirSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { test } from 'node:test'
import { clearFolder, snapshotPattern, workerFile } from './fleet-files.ts'

test('the pattern finds the snapshots of a folder, whatever signs its name holds', (t) => {
  const root = mkdtempSync(join(tmpdir(), 'framework-files-'))
  t.after(() => rmSync(root, { recursive: true, force: true }))
  for (const name of ['plain', 'a[b]', 'a*b', 'a{b,c}', 'a(b)', 'a?b', 'a!b+c@d']) {
    const folder = join(mkdtempSync(join(root, 'of-')), name)
    mkdirSync(folder)
    const file = workerFile(folder, { slot: 1, pid: 7 })
    writeFileSync(file, '')
    assert.deepEqual(globSync(snapshotPattern(folder)), [file], name)
  }
})

test('clearing a folder takes snapshots and half-written ones, and nothing else', async (t) => {
  const folder = mkdtempSync(join(tmpdir(), 'framework-files-'))
  t.after(() => rmSync(folder, { recursive: true, force: true }))
  const ours = [
    'worker-1-7.json',
    'worker-1-7.json.7-x.tmp',
    'retired.json',
    'retired.json.1-y.tmp',
    'fleet.list',
    'fleet.list.1.tmp',
  ]
  const others = ['fleet.lock', 'worker.json', 'worker-1-7.json.bak', 'mine.json']
  for (const name of [...ours, ...others]) writeFileSync(join(folder, name), '')
  await clearFolder(folder)
  assert.deepEqual(readdirSync(folder).toSorted(), others.toSorted())
  await clearFolder(join(folder, 'missing'))
})
