import assert from 'node:assert/strict'
import { spawn } from 'node:child_process'
import { mkdtempSync, readdirSync, rmSync, statSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { createInterface } from 'node:readline'
import { test } from 'node:test'

test('processes that start concurrently create one key and leave nothing else', async (t) => {
  const root = mkdtempSync(join(tmpdir(), 'queue-key-'))
  t.after(() => rmSync(root, { recursive: true }))
  const program = join(import.meta.dirname, 'queue-key-child.ts')
  const children = Array.from({ length: 6 }, () => {
    const child = spawn(process.execPath, ['--conditions=source', program, root], {
      stdio: ['pipe', 'pipe', 'inherit'],
    })
    t.after(() => child.kill('SIGKILL'))
    const lines = createInterface({ input: child.stdout })[Symbol.asyncIterator]()
    return { start: () => child.stdin.end(), line: async () => (await lines.next()).value }
  })
  for (const child of children) assert.equal(await child.line(), 'ready')
  for (const child of children) child.start()
  const keys = await Promise.all(children.map((child) => child.line()))
  assert.match(String(keys[0]), /^[0-9a-f]{64}$/)
  assert.equal(new Set(keys).size, 1)
  assert.deepEqual(readdirSync(join(root, 'storage')), ['app.key'])
  assert.equal(statSync(join(root, 'storage', 'app.key')).mode & 0o777, 0o600)
})
