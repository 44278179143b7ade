import assert from 'node:assert/strict'
import { test } from 'node:test'
import { paints } from './paints.ts'
import { textTable } from './text-table.ts'

const plain = (text: string): string => text

test('columns are as wide as their widest cell and lines do not end in blanks', () => {
  const rows = [
    ['GET', '/long/path', ''],
    ['DELETE', '/', 'x'],
  ]
  assert.equal(
    textTable(['method', 'path', 'set'], rows, plain),
    'method  path        set\nGET     /long/path\nDELETE  /           x\n',
  )
})

test('colours take no width', () => {
  const { dim, bold } = paints(true)
  const table = textTable(['a', 'b'], [[dim('xx'), 'y']], bold)
  assert.equal(table, '\u001B[1ma   b\u001B[22m\n\u001B[2mxx\u001B[22m  y\n')
})

test('no rows leave the headings', () => {
  assert.equal(textTable(['method', 'path'], [], plain), 'method  path\n')
})
