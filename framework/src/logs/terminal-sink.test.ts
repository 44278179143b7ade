import assert from 'node:assert/strict'
import { Writable } from 'node:stream'
import { test } from 'node:test'
import { stripVTControlCharacters } from 'node:util'
import { Channel } from './channel.ts'
import { terminalLine, terminalSink } from './terminal-sink.ts'

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

test('a request is one line: method, path, status, milliseconds and statements', () => {
  const shown = (context: Record<string, unknown>): string =>
    terminalLine(line({ channel: 'requests', context }), false)
  const request = { route: '/orders/:id', method: 'GET', status: 200, ms: 3.25, queries: 0 }
  assert.equal(shown(request), '12:05:09.007 GET  /orders/:id 200 3.25 ms\n')
  assert.equal(
    shown({ ...request, route: null, path: '/x', queries: 2, queryMs: 1.5, gone: true }),
    '12:05:09.007 GET  /x 200 3.25 ms 2 queries 1.5 ms the client disconnected\n',
  )
  assert.equal(
    shown({ ...request, route: null, queries: 1, queryMs: 1 }),
    '12:05:09.007 GET  (no route) 200 3.25 ms 1 query 1 ms\n',
  )
  // A line of the project's own with the same channel.
  assert.equal(shown({ method: 'GET' }), '12:05:09.007 INFO  requests Ready method=GET\n')
  for (const status of [200, 302, 404, 500]) {
    const context = { ...request, status, ms: status * 3 }
    const coloured = terminalLine(line({ channel: 'requests', context }), true)
    assert.notEqual(coloured, shown(context))
    assert.equal(stripVTControlCharacters(coloured), shown(context))
  }
})

const exception = {
  class: 'TypeError',
  file: import.meta.filename,
  line: 10,
  method: 'GET',
  URI: '/orders/7',
  request: 'r1',
  stack: [`line (${import.meta.filename}:10:1)`, 'query (node_modules/pg/query.js:3:5)'],
  causes: [{ class: 'DatabaseError', message: 'no such table', stack: ['save (orders.ts:3:5)'] }],
  properties: { order: '7' },
  route: '/orders/:id',
  account: '7',
  trace: null,
  statement: 'SELECT ? FROM x',
  durationMs: 2.5,
  caller: 'orders.ts:3',
}

test('an exception is a report with source, stack, causes, request, account and statement', () => {
  const fields = { channel: 'exceptions', level: 'ERROR', message: 'first\nsecond' }
  const report = terminalLine(line({ ...fields, context: exception }), false)
  for (const part of [
    '12:05:09.007 ERROR exceptions\nTypeError: first\n  second\n    at line (',
    '  > 10 | function line(',
    '\n    at query (node_modules/pg/query.js:3:5)\n  order: 7\n',
    '\nCaused by DatabaseError: no such table\n    at save (orders.ts:3:5)\n',
    '\n  request    GET /orders/7 (r1)\n  route      /orders/:id\n  account    7\n',
    '\n  statement  SELECT ? FROM x (2.5 ms)\n  caller     orders.ts:3\n',
  ]) {
    assert.ok(report.includes(part), `${part} is not in\n${report}`)
  }
  assert.doesNotMatch(report, /[{}"]context/)
  const coloured = terminalLine(line({ ...fields, context: exception }), true)
  assert.equal(stripVTControlCharacters(coloured), report)
})

test('of an exception that ends the process only that is shown: its report follows', () => {
  const context = { ...exception, origin: 'exception' }
  assert.equal(
    terminalLine(line({ channel: 'exceptions', level: 'ERROR', message: 'x', context }), false),
    '12:05:09.007 ERROR exceptions\nnothing handled this error, which ends the process\n',
  )
})

test('no part of an exception can control the terminal or pass for another line', () => {
  const hostile = 'a\u001b[2Jb\r\n12:00:00.000 INFO forged\u202e'
  const context = Object.fromEntries(Object.keys(exception).map((key) => [key, hostile] as const))
  const causes = [{ class: hostile, message: hostile, stack: [hostile] }]
  const shown = terminalLine(
    line({
      channel: 'exceptions',
      message: hostile,
      context: { ...context, stack: [hostile], causes, properties: { [hostile]: hostile } },
    }),
    false,
  )
  assert.doesNotMatch(shown, /[^\P{Cc}\n]|\p{Bidi_Control}/u)
  assert.doesNotMatch(shown, /^12:00/m)
})

test('lines of a channel are written in readable form immediately', async () => {
  const chunks: string[] = []
  const stream = new Writable({
    write(chunk, _encoding, done) {
      chunks.push(String(chunk))
      done()
    },
  })
  const log = new Channel('app', { sinks: [terminalSink({ stream })] })
  log.warn('Slow\u001b[2J', { ms: 12 })
  assert.match(chunks.join(''), /^[\d:.]{12} WARN {2}app Slow\\u001b\[2J ms=12\n$/)
  await log.close()
})
