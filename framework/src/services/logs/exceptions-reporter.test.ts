import assert from 'node:assert/strict'
import { test } from 'node:test'
import { exceptionsReporter } from './exceptions-reporter.ts'
import { Logs } from './logs.ts'
import type { Sink } from './sink.ts'

function recorded(): { logs: Logs; lines: string[]; flushes: () => number } {
  const lines: string[] = []
  let flushes = 0
  const sink: Sink = {
    dropped: 0,
    write: (line) => void lines.push(line),
    flush: () => Promise.resolve(),
    flushSync: () => {
      flushes += 1
    },
    close: () => Promise.resolve(),
  }
  const logs = new Logs({ sinks: [sink], clock: () => 1_700_000_000 })
  return { logs, lines, flushes: () => flushes }
}

test('a throwable is one JSON line with class, place and the facts of its request', () => {
  const { logs, lines, flushes } = recorded()
  const context = { interface: 'WPI', method: 'GET', URI: '/x', peer: '127.0.0.1', request: 'r1' }
  exceptionsReporter(logs)(new RangeError('too far'), context)
  const { context: written, ...line } = JSON.parse(lines[0] ?? '')
  assert.deepEqual(line, {
    timestamp: 1_700_000_000,
    level: 'ERROR',
    channel: 'exceptions',
    message: 'too far',
    extra: {},
  })
  assert.deepEqual(Object.keys(written), ['class', 'file', 'line', ...Object.keys(context)])
  assert.equal(written.class, 'RangeError')
  assert.equal(written.file, import.meta.filename)
  assert.ok(written.line > 0)
  assert.equal(flushes(), 0)
})

test('the line of a dying process is written before the reporter returns', () => {
  for (const origin of ['exception', 'fatal']) {
    const { logs, flushes } = recorded()
    exceptionsReporter(logs)(new Error('x'), { origin })
    assert.equal(flushes(), 1, origin)
  }
})

test('secrets in a message do not reach the line', () => {
  const { logs, lines } = recorded()
  exceptionsReporter(logs)(new Error('cannot reach redis://user:hunter2@cache/0?token=t0p'), {})
  assert.doesNotMatch(lines.join(''), /hunter2|t0p/)
})
