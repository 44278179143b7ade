import assert from 'node:assert/strict'
import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { mkdtempSync, rmSync, statSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { test } from 'node:test'
import type { TestContext } from 'node:test'
import { lockFile } from './file-lock.ts'

function lockPath(t: TestContext): string {
  const folder = mkdtempSync(join(tmpdir(), 'lock-'))
  t.after(() => rmSync(folder, { recursive: true }))
  return join(folder, 'app.log.lock')
}

test('a lock is held by one and is free after its release; its file stays empty', (t) => {
  const path = lockPath(t)
  const release = lockFile(path)
  assert.ok(release)
  assert.equal(lockFile(path), null)
  release()
  release()
  const { size, mode } = statSync(path)
  assert.deepEqual([size, mode & 0o777], [0, 0o600])
  const again = lockFile(path)
  assert.ok(again)
  again()
})

test('a lock of another process is respected, and ends with that process', async (t) => {
  const path = lockPath(t)
  const module = JSON.stringify(import.meta.resolve('./file-lock.ts'))
  const script = `import { lockFile } from ${module}
    lockFile(${JSON.stringify(path)})
    console.log('locked')
    setInterval(() => {}, 1_000)`
  const words = ['--input-type=module', '--eval', script]
  const holder = spawn(process.execPath, words, { stdio: ['ignore', 'pipe', 'inherit'] })
  await once(holder.stdout, 'data')
  assert.equal(lockFile(path), null)
  holder.kill('SIGKILL')
  await once(holder, 'exit')
  const release = lockFile(path)
  assert.ok(release)
  release()
})

test('a lock that cannot be made is an error', (t) => {
  assert.throws(() => lockFile(join(lockPath(t), 'nowhere')), { code: 'ERR_SQLITE_ERROR' })
})
