import assert from 'node:assert/strict'
import { test } from 'node:test'
import { headerLine } from './header-line.ts'

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
