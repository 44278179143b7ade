import assert from 'node:assert/strict'
import { mkdtempSync, readFileSync, readdirSync, rmSync, statSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { test } from 'node:test'
import type { TestContext } from 'node:test'
import type { ExportParts } from './account-parts.ts'
import { writeExport } from './account-exports.ts'

function place(t: TestContext): { folder: string; path: string } {
  const root = mkdtempSync(join(tmpdir(), 'write-export-'))
  t.after(() => rmSync(root, { recursive: true, force: true }))
  const folder = join(root, 'exports')
  return { folder, path: join(folder, 'a.json') }
}

function write(path: string, parts: ExportParts, signal = new AbortController().signal) {
  return writeExport({ path, user: '7', parts, now: 1_700_000_000, signal })
}

test('the file is JSON with every part, in order', async (t) => {
  const { path } = place(t)
  const size = await write(path, {
    one: async (user) => ({ user, text: 'ä "quoted"\n' }),
    none: async () => undefined,
    list: async function* () {
      yield 1
      yield { two: 2 }
    },
    empty: async function* () {},
  })
  assert.equal(size, statSync(path).size)
  const text = readFileSync(path, 'utf8')
  assert.deepEqual(JSON.parse(text), {
    created: '2023-11-14T22:13:20.000Z',
    one: { user: '7', text: 'ä "quoted"\n' },
    none: null,
    list: [1, { two: 2 }],
    empty: [],
  })
  assert.deepEqual(Object.keys(JSON.parse(text)), ['created', 'one', 'none', 'list', 'empty'])
})

test('a long part is read as fast as it is written, not faster', async (t) => {
  const { path, folder } = place(t)
  let read = 0
  let ahead = 0
  const row = 'x'.repeat(10_000)
  await write(path, {
    rows: async function* () {
      for (; read < 500; read += 1) {
        const file = statSync(join(folder, 'a.json.part'), { throwIfNoEntry: false })
        ahead = Math.max(ahead, read * row.length - (file?.size ?? 0))
        yield row
      }
    },
  })
  assert.equal(read, 500)
  assert.ok(ahead < 1_000_000, `${ahead} bytes were in memory`)
})

test('without all parts there is no file, not even a part of one', async (t) => {
  const { path, folder } = place(t)
  const broken = {
    first: async () => 'x'.repeat(100_000),
    second: () => Promise.reject(new Error('away')),
  }
  await assert.rejects(write(path, broken), /away/)
  assert.deepEqual(readdirSync(folder), [])
  const stop = new AbortController()
  const endless = {
    rows: async function* () {
      for (let count = 0; ; count += 1) {
        if (count === 100) stop.abort()
        yield count
      }
    },
  }
  await assert.rejects(write(path, endless, stop.signal), { name: 'AbortError' })
  assert.deepEqual(readdirSync(folder), [])
})
