import assert from 'node:assert/strict'
import {
  chmodSync,
  mkdirSync,
  mkdtempSync,
  readFileSync,
  rmSync,
  statSync,
  symlinkSync,
} from 'node:fs'
import { writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { test } from 'node:test'
import type { TestContext } from 'node:test'
import { createPrivateFile, privateFile, tighten, tightenFolder } from './private-files.ts'

function folderOf(t: TestContext): string {
  const folder = mkdtempSync(join(tmpdir(), 'framework-private-'))
  t.after(() => rmSync(folder, { recursive: true, force: true }))
  return folder
}

function modeOf(path: string): number {
  return statSync(path).mode & 0o777
}

test('a new file is private, an existing one stays as it is', (t) => {
  const path = join(folderOf(t), 'file')
  createPrivateFile(path)
  assert.equal(modeOf(path), 0o600)
  writeFileSync(path, 'kept')
  chmodSync(path, 0o644)
  createPrivateFile(path)
  assert.equal(readFileSync(path, 'utf8'), 'kept')
  assert.equal(modeOf(path), 0o644)
})

test('permissions are only ever taken away', (t) => {
  const path = join(folderOf(t), 'file')
  writeFileSync(path, '')
  for (const [before, after] of [
    [0o666, 0o640],
    [0o644, 0o640],
    [0o600, 0o600],
    [0o400, 0o400],
  ] as const) {
    chmodSync(path, before)
    tighten(path, 0o640)
    assert.equal(modeOf(path), after)
  }
  tighten(join(path, 'nowhere'), 0o600)
})

test('a folder is closed together with its files, but not with what links point to', (t) => {
  const folder = folderOf(t)
  const inside = join(folder, 'inside')
  mkdirSync(inside)
  const outside = join(folder, 'outside')
  const file = join(inside, 'file')
  for (const path of [file, outside]) {
    writeFileSync(path, '')
    chmodSync(path, 0o644)
  }
  symlinkSync(outside, join(inside, 'link'))
  chmodSync(inside, 0o755)
  tightenFolder(inside, privateFile)
  assert.deepEqual([modeOf(inside), modeOf(file), modeOf(outside)], [0o700, 0o600, 0o644])
  tightenFolder(join(folder, 'nowhere'), privateFile)
})
