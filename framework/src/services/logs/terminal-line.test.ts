import assert from 'node:assert/strict'
import { stripVTControlCharacters } from 'node:util'
import { test } from 'node:test'

import { terminalLine } from './terminal-line.ts'

const noon = new Date(2025, 0, 1, 12, 5, 9, 7).getTime() / 1_000

function line(fields: Record<string, unknown> = {}): string {
  const usual = { timestamp: noon, level: 'INFO', channel: 'app', message: 'Ready' }
  return `${JSON.stringify({ ...usual, context: {}, extra: {}, ...fields })}\n`
}

test('time, level, channel, message and fields stand on one line', () => {
  const context = { port: 8087, name: 'a b', empty: '', list: [1, 'x'], ok: true }
  assert.equal(
    terminalLine(line({ context, extra: { request: 'r1' } }), false),
    '12:05:09.007 INFO  app Ready port=8087 name="a b" empty="" list=[1,"x"] ok=true request=r1\n',
  )
  assert.equal(terminalLine(line(), false), '12:05:09.007 INFO  app Ready\n')
})

test('colour is added on demand and changes nothing else', () => {
  for (const level of ['DEBUG', 'INFO', 'WARN', 'ERROR', 'FATAL', 'OTHER']) {
    const plain = terminalLine(line({ level, context: { a: 1 } }), false)
    const coloured = terminalLine(line({ level, context: { a: 1 } }), true)
    assert.notEqual(coloured, plain)
    assert.equal(stripVTControlCharacters(coloured), plain)
  }
})

test('control and direction characters never reach the terminal, from any field', () => {
  const hostile = 'a\u001b[2Jb\r\n\tc\u0007\u009b31m\u202ed\u2028e\u007f'
  const fields = { [hostile]: hostile, list: [hostile] }
  const shown = terminalLine(
    line({ message: hostile, channel: hostile, level: hostile, context: fields, extra: fields }),
    false,
  )
  assert.doesNotMatch(shown.slice(0, -1), /[\p{Cc}\p{Bidi_Control}\u2028\u2029]/u)
  assert.ok(shown.includes(String.raw`a\u001b[2Jb\u000d\n\tc\u0007\u009b31m\u202ed\u2028e\u007f`))
})
