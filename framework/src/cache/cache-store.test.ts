import assert from 'node:assert/strict'
import { test } from 'node:test'
import { wholeNumber } from './cache-store.ts'

test('a whole number is one that JSON writes and JavaScript counts with', () => {
  for (const number of [0, 7, -7, 1_000, Number.MAX_SAFE_INTEGER, Number.MIN_SAFE_INTEGER]) {
    assert.equal(wholeNumber(JSON.stringify(number)), number)
  }
  for (const text of [
    '',
    '-',
    '-0',
    '007',
    '1.5',
    '1e3',
    '"7"',
    ' 7',
    'null',
    '9007199254740993',
  ]) {
    assert.equal(wholeNumber(text), null, text)
  }
})
