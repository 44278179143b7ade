import assert from 'node:assert/strict'
import { rmSync, mkdtempSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { test } from 'node:test'
import type { TestContext } from 'node:test'
import { ansiReport } from './ansi-report.ts'

const source = Array.from({ length: 20 }, (_, at) => `const line${at + 1} = ${at + 1}`)

/** An error made at line 10 of a file, with that many calls below, as Node would show it. */
function failure(t: TestContext, calls = 0, message = 'broken'): { error: Error; file: string } {
  const folder = mkdtempSync(join(tmpdir(), 'framework-report-'))
  t.after(() => rmSync(folder, { recursive: true }))
  const file = join(folder, 'a.ts')
  writeFileSync(file, source.join('\n'))
  const error = new RangeError(message)
  const below = Array.from(
    { length: calls },
    (_, at) => `    at call${at + 1} (${file}:${at + 11}:3)`,
  )
  error.stack = [
    `RangeError: ${message}`,
    '    at openSync (node:fs:573:18)',
    `    at fail (${file}:10:7)`,
    ...below,
  ].join('\n')
  return { error, file }
}

function report(error: Error, verbosity: number): string {
  return ansiReport(error, { verbosity, colored: false })
}

test('verbosity 1 is class and message', (t) => {
  assert.equal(report(failure(t).error, 1), 'RangeError: broken\n')
})

test('verbosity 2 adds the place and its source, the failing line marked', (t) => {
  const { error, file } = failure(t, 3)
  const marked = (line: number): string =>
    `${line === 10 ? '  >' : '   '} ${String(line).padStart(2)} |`
  const lines = [6, 7, 8, 9, 10, 11, 12, 13, 14]
  assert.equal(
    report(error, 2),
    [
      'RangeError: broken',
      `    at fail (${file}:10:7)`,
      '',
      ...lines.map((line) => `${marked(line)} const line${line} = ${line}`),
      '',
    ].join('\n'),
  )
})

for (const [verbosity, shown, rest] of [
  [3, 3, '+7 trace calls…'],
  [4, 6, '+4 trace calls…'],
  [5, 9, '+1 trace calls…'],
  [6, 10, ''],
  [99, 10, ''],
] as const) {
  test(`verbosity ${verbosity} adds ${shown} of ten calls below the throw point`, (t) => {
    const text = report(failure(t, 10).error, verbosity)
    const calls = [...text.matchAll(/^ {4}at (call\d+) \(/gm)].map(([, name]) => name)
    assert.deepEqual(
      calls,
      Array.from({ length: shown }, (_, at) => `call${at + 1}`),
    )
    assert.equal(/\+\d+ trace calls…/.exec(text)?.[0] ?? '', rest)
  })
}

test('a trace that fits is not said to be cut', (t) => {
  assert.doesNotMatch(report(failure(t, 3).error, 3), /trace calls/)
})

test('verbosities that make no sense tell the least', (t) => {
  const { error } = failure(t, 3)
  for (const verbosity of [0, -1, Number.NaN]) {
    assert.equal(report(error, verbosity), 'RangeError: broken\n')
  }
})

test('causes and gathered errors follow, from verbosity 2 on with their place', (t) => {
  const { error, file } = failure(t)
  const gathered = new AggregateError([new TypeError('one'), error], 'several')
  const outer = new Error('outer', { cause: gathered })
  assert.equal(
    report(outer, 1),
    'Error: outer\nCaused by AggregateError: several\n' +
      'Together with TypeError: one\nTogether with RangeError: broken\n',
  )
  assert.ok(
    report(outer, 2).includes(`\nTogether with RangeError: broken\n    at fail (${file}:10:7)\n`),
  )
})

test('own properties are shown in short, secrets are not', (t) => {
  const { error } = failure(t)
  Object.assign(error, { code: 'ENOENT', errno: -2, apiKey: 'hunter2' })
  const text = report(error, 2)
  assert.match(text, /^ {2}code: 'ENOENT'$/m)
  assert.match(text, /^ {2}errno: -2$/m)
  assert.doesNotMatch(text, /hunter2/)
  assert.doesNotMatch(report(error, 1), /ENOENT/)
})

test('nothing in a message, a name, a property or a source can steer the terminal', (t) => {
  const evil = '\u001B]0;owned\u0007\u009B2J\r'
  const { error, file } = failure(t, 0, `x${evil}y\nCaused by nothing`)
  writeFileSync(file, source.join(`${evil}\n`))
  error.stack = `${error.stack}\n    at evil${evil} (/a${evil}.ts:1:1)`
  Object.assign(error, { [`k${evil}`]: evil })
  const text = report(error, 6)
  // oxlint-disable-next-line no-control-regex
  assert.doesNotMatch(text, /[\u0000-\u0008\u000B-\u001F\u007F-\u009F]/)
  assert.doesNotMatch(text, /^Caused by/m)
})

test('user info and secret parameters of addresses in a stack are replaced', () => {
  const error = new Error('x')
  error.stack = 'Error: x\n    at send (https://me:hunter2@host/a.js?token=hunter2:1:2)'
  assert.doesNotMatch(report(error, 6), /hunter2/)
})

test('colours are only added: without them the text is the same', (t) => {
  const { error } = failure(t, 4)
  Object.assign(error, { code: 'ENOENT' })
  const colored = ansiReport(error, { verbosity: 3, colored: true })
  assert.ok(colored.includes('\u001B[31mRangeError:'))
  assert.ok(colored.includes('\u001B[35mconst\u001B[39m line9 = \u001B[33m9\u001B[39m'))
  // oxlint-disable-next-line no-control-regex
  assert.equal(colored.replaceAll(/\u001B\[\d+m/g, ''), report(error, 3))
})

test('long lines of a source are cut', (t) => {
  const { error, file } = failure(t)
  writeFileSync(file, source.map((line) => `${line} // ${'x'.repeat(500)}`).join('\n'))
  const longest = Math.max(
    ...report(error, 2)
      .split('\n')
      .map(({ length }) => length),
  )
  assert.ok(longest < 180, `${longest} characters`)
})

test('an error without a stack is reported too', () => {
  const error = new Error('x')
  delete error.stack
  assert.equal(report(error, 6), 'Error: x\n')
})
