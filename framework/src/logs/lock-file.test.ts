import assert from 'node:assert/strict'
import { spawnSync } from 'node:child_process'
import { existsSync, mkdtempSync, readFileSync, rmSync, utimesSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { test } from 'node:test'
import type { TestContext } from 'node:test'

import { tryLock } from './lock-file.ts'

function lockPath(t: TestContext): string {
  const folder = mkdtempSync(join(tmpdir(), 'lock-'))
  t.after(() => rmSync(folder, { recursive: true }))
  return join(folder, 'app.log.lock')
}

test('a lock is held by one, names its process, and is free after its release', async (t) => {
  const path = lockPath(t)
  const release = await tryLock(path)
  assert.ok(release)
  assert.equal(readFileSync(path, 'utf8'), String(process.pid))
  assert.equal(await tryLock(path), null)
  await release()
  assert.equal(existsSync(path), false)
  const again = await tryLock(path)
  assert.ok(again)
  await again()
})

test('of many concurrent attempts exactly one gets the lock', async (t) => {
  const path = lockPath(t)
  const all = await Promise.all(Array.from({ length: 20 }, () => tryLock(path)))
  assert.equal(all.filter((release) => release !== null).length, 1)
})

test('a lock whose process is gone is taken over', async (t) => {
  const path = lockPath(t)
  const { pid } = spawnSync(process.execPath, ['--version'])
  writeFileSync(path, String(pid))
  assert.ok(await tryLock(path))
  assert.equal(readFileSync(path, 'utf8'), String(process.pid))
})

test('of many concurrent takeovers of a dead lock at most one holds it at a time', async (t) => {
  const path = lockPath(t)
  const { pid } = spawnSync(process.execPath, ['--version'])
  let holders = 0
  let taken = 0
  const attempt = async (): Promise<void> => {
    const release = await tryLock(path)
    if (release === null) return
    taken++
    holders++
    assert.equal(holders, 1)
    await new Promise(setImmediate)
    holders--
    await release()
  }
  for (let round = 0; round < 30; round++) {
    writeFileSync(path, String(pid))
    await Promise.all(Array.from({ length: 10 }, attempt))
    assert.equal(existsSync(path), false, 'no lock is left behind')
  }
  assert.ok(taken >= 30)
})

test('a crashed takeover does not block forever', async (t) => {
  const path = lockPath(t)
  const { pid } = spawnSync(process.execPath, ['--version'])
  writeFileSync(path, String(pid))
  writeFileSync(`${path}.takeover`, String(pid))
  assert.equal(await tryLock(path), null)
  assert.ok(await tryLock(path))
})

test('a lock that is too old is taken over, a fresh one of a living process is not', async (t) => {
  const path = lockPath(t)
  writeFileSync(path, String(process.pid))
  assert.equal(await tryLock(path), null)
  const old = Date.now() / 1_000 - 11
  utimesSync(path, old, old)
  assert.ok(await tryLock(path))
})

test('a fresh lock without a process number yet is respected', async (t) => {
  const path = lockPath(t)
  writeFileSync(path, '')
  assert.equal(await tryLock(path), null)
})

test('a lock that cannot be made is an error', async (t) => {
  await assert.rejects(tryLock(join(lockPath(t), 'nowhere')), { code: 'ENOENT' })
})
