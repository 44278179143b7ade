import assert from 'node:assert/strict'
import { test } from 'node:test'
import { stripVTControlCharacters } from 'node:util'
import { paints } from './paints.ts'
import { textTable } from './text-table.ts'

const plain = { paint: paints(false), columns: Number.POSITIVE_INFINITY }

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
  const paint = paints(true)
  const table = textTable(['a', 'b'], [[paint.dim('xx'), 'y']], { ...plain, paint })
  assert.equal(table, '\u001B[1ma   b\u001B[22m\n\u001B[2mxx\u001B[22m  y\n')
})

test('a table fits the screen: the widest cells go on below, each line in its colour', () => {
  const paint = paints(true)
  const rows = [
    ['PORT', paint.dim('the port to listen on, or none')],
    ['A_VERY_LONG_NAME_OF_A_SETTING', 'short'],
  ]
  const table = textTable(['variable', 'meaning'], rows, { paint, columns: 32 })
  const lines = table.trimEnd().split('\n')
  assert.deepEqual(
    lines.map((line) => stripVTControlCharacters(line)),
    [
      'variable         meaning',
      'PORT             the port to',
      '                 listen on, or',
      '                 none',
      'A_VERY_LONG_NAM  short',
      'E_OF_A_SETTING',
    ],
  )
  for (const line of lines.slice(1, 4)) assert.match(line, /\[2m[a-z, ]+\S+\[22m$/)
})

test('no rows leave the headings', () => {
  assert.equal(textTable(['method', 'path'], [], plain), 'method  path\n')
})
