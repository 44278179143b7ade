import assert from 'node:assert/strict'
import {
  existsSync,
  mkdtempSync,
  readFileSync,
  readdirSync,
  rmSync,
  statSync,
  writeFileSync,
} from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { test } from 'node:test'
import type { TestContext } from 'node:test'
import { lockFile } from '../base/files/file-lock.ts'
import { reserveName, rotate } from './log-file.ts'
import type { Rotation } from './log-file.ts'

function logFile(t: TestContext): string {
  const folder = mkdtempSync(join(tmpdir(), 'rotation-'))
  t.after(() => rmSync(folder, { recursive: true }))
  const path = join(folder, 'app.log')
  writeFileSync(path, 'lines\n')
  return path
}

function rotation(path: string): Rotation {
  const inode = statSync(path, { bigint: true }).ino
  return { path, inode, day: '2025-11-14', keep: 7, nowMs: Date.now() }
}

test('the file gets the next number of its day and replaces nothing', async (t) => {
  const path = logFile(t)
  writeFileSync(`${path}.2025-11-14.9`, 'nine\n')
  writeFileSync(`${path}.2025-11-14.10`, 'ten\n')
  writeFileSync(`${path}.2025-11-15.30`, 'other day\n')
  assert.equal(await rotate(rotation(path)), true)
  assert.equal(readFileSync(`${path}.2025-11-14.11`, 'utf8'), 'lines\n')
  assert.equal(readFileSync(`${path}.2025-11-14.10`, 'utf8'), 'ten\n')
  assert.equal(existsSync(path), false)
})

test('a file that somebody has rotated in the meantime is left alone', async (t) => {
  const path = logFile(t)
  const late = rotation(path)
  await rotate(late)
  writeFileSync(path, 'fresh\n')
  assert.equal(await rotate(late), true)
  assert.equal(readFileSync(path, 'utf8'), 'fresh\n')
})

test('a file that is gone is nothing to rotate, and no empty one is left for it', async (t) => {
  const path = logFile(t)
  const late = rotation(path)
  rmSync(path)
  assert.equal(await rotate(late), true)
  assert.deepEqual(readdirSync(join(path, '..')), ['app.log.lock'])
})

test('while the lock is held by another nothing is done', async (t) => {
  const path = logFile(t)
  const release = lockFile(`${path}.lock`)
  assert.equal(await rotate(rotation(path)), false)
  assert.equal(readFileSync(path, 'utf8'), 'lines\n')
  release?.()
})

test('names reserved at the same moment are all different', async (t) => {
  const path = logFile(t)
  const names = await Promise.all(Array.from({ length: 20 }, () => reserveName(path, '2025-11-14')))
  assert.equal(new Set(names).size, 20)
})
