import assert from 'node:assert/strict'
import { test } from 'node:test'
import type { ColumnKind, ColumnReference } from '../../database/sql/plan/column-reference.ts'
import { decimalOf, unitsOf } from '../../database/sql/values/decimal.ts'
import { roomFor } from './increment-rows.ts'

function column(kind: ColumnKind): ColumnReference {
  return { name: 'amount', kind, isNullable: false, precision: 5, scale: 2 }
}

test('the room for an amount ends where the sum leaves the range of its column', () => {
  assert.deepEqual(roomFor(column('bigint'), 5n), { side: 'at-most', value: 2n ** 63n - 6n })
  assert.deepEqual(roomFor(column('bigint'), -5n), { side: 'at-least', value: 5n - 2n ** 63n })
  assert.deepEqual(roomFor(column('decimal'), '0.5'), { side: 'at-most', value: '999.49' })
  assert.deepEqual(roomFor(column('decimal'), '-999.99'), { side: 'at-least', value: '0.00' })
  assert.deepEqual(roomFor(column('float'), 0), { side: 'at-most', value: Number.MAX_VALUE })
})

test('a column that is not a number, and an amount of another type, have no room', () => {
  assert.equal(roomFor(column('text'), '1'), undefined)
  assert.equal(roomFor(column('boolean'), true), undefined)
  assert.equal(roomFor(column('bigint'), 1), undefined)
  assert.equal(roomFor(column('integer'), 1n), undefined)
  assert.equal(roomFor(column('decimal'), 1), undefined)
})

test('decimals are units of their last digit', () => {
  const pairs: readonly [string, number, bigint][] = [
    ['0.05', 2, 5n],
    ['-0.05', 2, -5n],
    ['12.30', 2, 1230n],
    ['-7', 0, -7n],
  ]
  for (const [text, scale, units] of pairs) {
    assert.equal(unitsOf(text, scale), units)
    assert.equal(decimalOf(units, scale), text)
  }
})
