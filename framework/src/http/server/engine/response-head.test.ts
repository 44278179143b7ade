import assert from 'node:assert/strict'
import { test } from 'node:test'
import { headerBlock, headerLine } from './response-head.ts'

const expected = (headers: readonly string[]): string =>
  headers.map((part, at) => (at % 2 === 0 ? `${part}: ` : `${part}\r\n`)).join('')

test('a block is every header in its order, whatever blocks came before', () => {
  const answers = [
    ['A', '1', 'B', '2', 'C', '3'],
    ['A', '1', 'B', '2'],
    ['A', '1', 'B', 'other', 'C', '3'],
    ['B', '2', 'A', '1'],
    ['A', '1', 'A', '1'],
    ['a', '1'],
    ['A', 'x'.repeat(5000), 'B', '2'],
    [],
  ]
  for (let round = 0; round < 6; round += 1) {
    for (const headers of answers) {
      assert.equal(headerBlock(headers), expected(headers))
      assert.equal(headerBlock(headers), expected(headers))
    }
  }
})

test('the headers that the engine works out itself are left to it, also when they repeat', () => {
  for (let round = 0; round < 4; round += 1) {
    assert.equal(headerBlock(['X', '1', 'content-length', '7', 'Y', '2']), 'X: 1\r\nY: 2\r\n')
  }
})

test('cookies of one answer never stand in another', () => {
  for (let round = 0; round < 4; round += 1) {
    const mine = ['X', '1', 'set-cookie', `id=${round}`, 'Y', '2']
    assert.equal(headerBlock(mine), expected(mine))
    assert.equal(headerBlock(['X', '1', 'Y', '2']), 'X: 1\r\nY: 2\r\n')
  }
})

test('a header line is the name, the value and a line end, whatever came before', () => {
  for (const value of ['a', 'a', 'b', 'a', '', 'x'.repeat(500)]) {
    assert.equal(headerLine('X-Line', value), `X-Line: ${value}\r\n`)
  }
  assert.equal(headerLine('x-line', 'a'), 'x-line: a\r\n')
})

test('many made-up names do not mix up their lines', () => {
  for (let at = 0; at < 300; at += 1) assert.equal(headerLine(`X-${at}`, 'v'), `X-${at}: v\r\n`)
})

test('the headers that the engine works out itself are left to it', () => {
  for (const name of [
    'Content-Length',
    'content-length',
    'Transfer-Encoding',
    'Date',
    'Connection',
  ]) {
    assert.equal(headerLine(name, '7'), '')
    assert.equal(headerLine(name, '7'), '')
  }
})
