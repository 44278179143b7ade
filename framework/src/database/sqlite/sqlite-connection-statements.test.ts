import assert from 'node:assert/strict'
import { test } from 'node:test'
import { sqliteBindings } from './sqlite-connection.ts'
import { InvalidArgumentException } from '../../base/errors.ts'

test('whole numbers become integers, others stay numbers', () => {
  assert.deepEqual(sqliteBindings([0, 5, -7, Number.MAX_SAFE_INTEGER, 1.5]), [
    0n,
    5n,
    -7n,
    9007199254740991n,
    1.5,
  ])
  assert.deepEqual(sqliteBindings([1e300, Infinity, -0]), [1e300, Infinity, -0])
})

test('text, bytes, null and 64-bit bigints are bound unchanged', () => {
  const bytes = new Uint8Array([1, 2])
  const given = ['a', '', null, bytes, 2n ** 63n - 1n, -(2n ** 63n)]
  assert.deepEqual(sqliteBindings(given), given)
})

test('booleans become 1 and 0, dates become text in UTC', () => {
  const date = new Date('2026-02-03T04:05:06.789Z')
  assert.deepEqual(sqliteBindings([true, false, date]), [1n, 0n, '2026-02-03 04:05:06.789000'])
})

test('what SQLite cannot store exactly is rejected with its position and without its value', () => {
  const refused: readonly [unknown, RegExp][] = [
    [undefined, /parameter 2 is undefined; use null/],
    [Number.NaN, /parameter 2 is NaN/],
    [2n ** 63n, /parameter 2 is a bigint of more than 64 bits/],
    [-(2n ** 63n) - 1n, /more than 64 bits/],
    [new Date(Number.NaN), /parameter 2 is a Date that is invalid/],
    [new Date(8.64e15), /outside the years/],
    [['secret'], /parameter 2 is a list/],
    [{ secret: 1 }, /parameter 2 is an object/],
    [new DataView(new ArrayBuffer(1)), /an object/],
    [() => 'secret', /parameter 2 is a function/],
    [Symbol('secret'), /parameter 2 is a symbol/],
  ]
  for (const [value, text] of refused) {
    const bind = (): unknown => sqliteBindings([1, value])
    assert.throws(bind, InvalidArgumentException)
    assert.throws(bind, text)
    assert.throws(bind, (error: Error) => !error.message.includes('secret'))
  }
})
