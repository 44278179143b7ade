import assert from 'node:assert/strict'
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { test } from 'node:test'
import { maxFrames } from '../stack/frames.ts'
import { developerStyle, lateStyle } from './html-document.ts'

test('a style that cannot be read is empty until it can be, and is read once', (t) => {
  const folder = mkdtempSync(join(tmpdir(), 'style-'))
  t.after(() => rmSync(folder, { recursive: true }))
  const path = join(folder, 'page.css')
  const style = lateStyle(path)
  assert.equal(style(), '')
  writeFileSync(path, 'a { color: red }')
  assert.equal(style(), 'a { color: red }')
  writeFileSync(path, 'a { color: blue }')
  assert.equal(style(), 'a { color: red }')
})

test('the source of every frame that is kept can be chosen', () => {
  const choices = developerStyle().matchAll(/:has\(\.f(\d+):checked\) \.p(\d+)\b/g)
  assert.deepEqual(
    [...choices].map(([, frame, panel]) => [Number(frame), Number(panel)]),
    Array.from({ length: maxFrames }, (_, at) => [at, at]),
  )
})

test('comments and indentation are left out', () => {
  assert.doesNotMatch(developerStyle(), /\/\*|\n\s/)
})
