import assert from 'node:assert/strict'
import { test } from 'node:test'
import { TextScanner } from './text-scanner.ts'

test('a part is passed over when it comes next, and only then', () => {
  const scanner = new TextScanner('abcd')
  assert.equal(scanner.take('b'), false)
  assert.equal(scanner.take('ab'), true)
  assert.equal(scanner.ended, false)
  assert.equal(scanner.take('cd'), true)
  assert.equal(scanner.ended, true)
  assert.equal(scanner.take('d'), false)
})

test('numbers are read as JSON writes them', () => {
  const numbers = [
    0,
    7,
    999_999_999_999_999,
    1_234_567_890_123_456,
    2 ** 60,
    0.1,
    -3.25,
    1e21,
    5e-324,
  ]
  for (const number of [...numbers, 1e-7, -0.5, Number.MAX_VALUE]) {
    const scanner = new TextScanner(`${number}}`)
    assert.equal(scanner.number(), number)
    assert.equal(scanner.take('}'), true)
  }
})

test('anything but a finite JSON number is null', () => {
  const others = [
    '',
    'x',
    '-',
    '01',
    '00',
    '.5',
    '5.',
    '1e',
    '+1',
    '1e999',
    '--1',
    '1-1',
    'NaN',
    '"1"',
  ]
  for (const text of others) assert.equal(new TextScanner(`${text}}`).number(), null, text)
})
