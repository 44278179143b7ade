import assert from 'node:assert/strict'
import { test } from 'node:test'
import { parseFatalReport } from './parse-fatal-report.ts'

const header = { event: 'Allocation failed - JavaScript heap out of memory', trigger: 'OOMError' }
const report = (parts: object): string => JSON.stringify({ header, ...parts })

test('a report about an aborted engine is a fatal error with its message', () => {
  assert.deepEqual(parseFatalReport(report({})), {
    type: 1,
    message: 'Allocation failed - JavaScript heap out of memory',
    file: '',
    line: 0,
    trace: [],
  })
  const other = parseFatalReport(report({ header: { ...header, trigger: 'FatalError' } }))
  assert.equal(typeof other === 'object' && other?.type, 1)
})

test('the calls are kept, and the nearest one outside Node is the location', () => {
  const stack = ['at fill (node:buffer:7:1)', '    at eat (/app/a.ts:3:5)', 'Unavailable.', 7]
  const fatal = parseFatalReport(report({ javascriptStack: { message: 'No stack.', stack } }))
  assert.ok(fatal !== null && fatal !== 'requested')
  assert.deepEqual(fatal.trace, ['at fill (node:buffer:7:1)', 'at eat (/app/a.ts:3:5)'])
  assert.deepEqual([fatal.file, fatal.line], ['/app/a.ts', 3])
})

test('a requested report does not describe a fatal error', () => {
  for (const trigger of ['API', 'Signal', 'Exception', 'GetReport']) {
    assert.equal(parseFatalReport(report({ header: { event: 'x', trigger } })), 'requested')
  }
})

test('anything but a complete report is null', () => {
  const texts = ['', ' ', '{', '[]', 'null', '7', '{}', '{"header":null}', '{"header":{"event":7}}']
  const whole = report({})
  for (const text of [...texts, whole.slice(0, -1), whole.slice(0, 20)]) {
    assert.equal(parseFatalReport(text), null, text)
  }
})

test('the contents of a report are bounded', () => {
  const event = 'x'.repeat(100_000)
  const stack = Array.from({ length: 10_000 }, () => 'at a (/a.ts:1:1)')
  const fatal = parseFatalReport(
    report({ header: { ...header, event }, javascriptStack: { stack } }),
  )
  assert.ok(fatal !== null && fatal !== 'requested')
  assert.equal(fatal.message.length, 1_000)
  assert.equal(fatal.trace?.length, 32)
})
