import assert from 'node:assert/strict'
import { mkdtemp, readdir, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { test } from 'node:test'

import { startChild } from './sqlite-child.ts'

test('an in-memory database keeps no process alive and leaves no file, however the process ends', async (t) => {
  const temporary = await mkdtemp(join(tmpdir(), 'sqlite-memory-'))
  t.after(() => rm(temporary, { recursive: true }))
  for (const [ending, status] of [
    ['return', 0],
    ['exit', 0],
    ['throw', 1],
  ] as const) {
    const child = startChild(t, 'memory', [ending], { TMPDIR: temporary })
    assert.ok((await child.line())?.startsWith(temporary))
    assert.equal(await child.ended(), status)
    assert.deepEqual(await readdir(temporary), [])
  }
})
