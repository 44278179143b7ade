import assert from 'node:assert/strict'
import { mkdtempSync, rmSync, utimesSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { test } from 'node:test'
import type { TestContext } from 'node:test'
import { EXCERPT_MARGIN, excerptOf, rememberText, sourceLines } from './source-file.ts'

function plant(t: TestContext, text: string): string {
  const folder = mkdtempSync(join(tmpdir(), 'framework-source-'))
  t.after(() => rmSync(folder, { recursive: true, force: true }))
  const file = join(folder, 'x.ts')
  writeFileSync(file, text)
  return file
}

const numbered = Array.from({ length: 40 }, (_, at) => `line ${at + 1}`)

test('every kind of line end separates lines', (t) => {
  assert.deepEqual(sourceLines(plant(t, 'a\nb\r\nc\rd')), ['a', 'b', 'c', 'd'])
})

test('a file yields the same array until it changes', (t) => {
  const file = plant(t, 'a')
  const first = sourceLines(file)
  assert.equal(sourceLines(file), first)
  writeFileSync(file, 'b')
  utimesSync(file, 1, 1)
  assert.deepEqual(sourceLines(file), ['b'])
})

test('no file, a folder and a file beyond 1 MiB give nothing', (t) => {
  const large = plant(t, 'x'.repeat(1_048_577))
  for (const file of [large, join(large, '..'), `${large}.none`, '', 'node:fs', 'a\0b']) {
    assert.equal(sourceLines(file), null)
  }
})

test('a line beyond 1,000 characters is cut', (t) => {
  const [line] = sourceLines(plant(t, 'x'.repeat(5_000))) ?? []
  assert.equal(line, `${'x'.repeat(1_000)}…`)
})

test('a text kept for a file that is not here is given, the file itself is preferred', (t) => {
  const file = plant(t, 'on disk')
  rememberText(`${file}.away`, 'kept\ntext')
  rememberText(file, 'kept')
  assert.deepEqual(sourceLines(`${file}.away`), ['kept', 'text'])
  assert.deepEqual(sourceLines(file), ['on disk'])
})

test('an excerpt shows eight lines on each side of the line that is meant', (t) => {
  const file = plant(t, numbered.join('\n'))
  assert.equal(EXCERPT_MARGIN, 8)
  assert.deepEqual(excerptOf(file, 20), { first: 12, lines: numbered.slice(11, 28), marked: 20 })
})

test('an excerpt ends where the file does', (t) => {
  const file = plant(t, numbered.join('\n'))
  assert.deepEqual(excerptOf(file, 2), { first: 1, lines: numbered.slice(0, 10), marked: 2 })
  assert.deepEqual(excerptOf(file, 40), { first: 32, lines: numbered.slice(31), marked: 40 })
  assert.deepEqual(excerptOf(file, 5, 1)?.lines, ['line 4', 'line 5', 'line 6'])
})

test('a line beyond the file has no excerpt', (t) => {
  const file = plant(t, numbered.join('\n'))
  for (const line of [0, -1, 41, 1e9]) assert.equal(excerptOf(file, line), null)
  assert.equal(excerptOf(`${file}.none`, 1), null)
})
