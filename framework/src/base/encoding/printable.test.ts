import assert from 'node:assert/strict'
import { test } from 'node:test'
import { printable } from './printable.ts'

test('control characters are replaced, line ends and tabs stay', () => {
  assert.equal(
    printable('red \u001B[31m\r\u0007\u009B1m\u007F'),
    'red \uFFFD[31m\uFFFD\uFFFD\uFFFD1m\uFFFD',
  )
  assert.equal(printable('a\n\tb'), 'a\n\tb')
})

test('bidirectional marks are replaced, other scripts are kept', () => {
  assert.equal(printable('a\u202Eb\u2066c\u2028d'), 'a\uFFFDb\uFFFDc\uFFFDd')
  assert.equal(printable('żółć שלום 👩‍👩‍👧'), 'żółć שלום 👩‍👩‍👧')
})
