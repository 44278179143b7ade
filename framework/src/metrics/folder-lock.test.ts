import assert from 'node:assert/strict'
import { mkdtempSync, readdirSync, rmSync, statSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { test } from 'node:test'
import type { TestContext } from 'node:test'
import { isFolderLocked, lockFolder } from './folder-lock.ts'

function newFolder(t: TestContext): string {
  const folder = mkdtempSync(join(tmpdir(), 'framework-lock-'))
  t.after(() => rmSync(folder, { recursive: true, force: true }))
  return folder
}

test('a folder is taken once until it is given back', async (t) => {
  const folder = join(newFolder(t), 'made', 'for', 'it')
  assert.equal(isFolderLocked(folder), false)
  const release = await lockFolder(folder)
  assert.equal(isFolderLocked(folder), true)
  await assert.rejects(lockFolder(folder), {
    name: 'ConfigurationError',
    code: 'E_OBSERVABILITY_FOLDER',
    message: /FRAMEWORK_OBSERVABILITY_DIR/,
  })
  release()
  release()
  assert.equal(isFolderLocked(folder), false)
  const again = await lockFolder(folder)
  t.after(again)
  assert.deepEqual(readdirSync(folder), ['fleet.lock'])
  assert.equal(statSync(join(folder, 'fleet.lock')).size, 0)
})

test('of many concurrent attempts exactly one locks the folder', async (t) => {
  const folder = newFolder(t)
  const outcomes = await Promise.allSettled(Array.from({ length: 8 }, () => lockFolder(folder)))
  const won = outcomes.flatMap((one) => (one.status === 'fulfilled' ? [one.value] : []))
  assert.equal(won.length, 1)
  for (const release of won) release()
})

test('checking a folder does not prevent others from locking it', async (t) => {
  const folder = newFolder(t)
  for (let at = 0; at < 20; at += 1) {
    const taking = lockFolder(folder)
    isFolderLocked(folder)
    const release = await taking
    release()
  }
})

test('a folder that cannot be locked throws its own error', async (t) => {
  const folder = newFolder(t)
  writeFileSync(join(folder, 'file'), '')
  await assert.rejects(lockFolder(join(folder, 'file')), { code: 'E_UNWRITABLE' })
  writeFileSync(join(folder, 'fleet.lock'), 'x'.repeat(1_000))
  await assert.rejects(lockFolder(folder), { code: 'ERR_SQLITE_ERROR' })
  assert.equal(isFolderLocked(folder), false)
})
