import assert from 'node:assert/strict'
import { describe, test } from 'node:test'
import { dialects } from '../../../../tests/support/dialects.ts'
import type { ColumnKind, ColumnReference } from '../plan/column-reference.ts'
import { termReader } from './aggregate-reader.ts'
import { decimalOf, unitsOf } from './decimal.ts'

function column(kind: ColumnKind, scale = 2): ColumnReference {
  return { name: 'amount', kind, isNullable: false, precision: 15, scale }
}

describe('a sum', () => {
  test('of wide integers is the sum of its halves where a database has 64 bits only', () => {
    const read = termReader({ kind: 'sum', column: column('bigint') }, dialects.sqlite)
    assert.equal(read('4294967294:8589934590', undefined), 2n ** 64n - 2n)
    assert.equal(read('-1:4294967291', undefined), -5n)
    assert.equal(read(null, undefined), null)
  })

  test('of decimals is a text, from units or from digits', () => {
    const term = { kind: 'sum', column: column('decimal') } as const
    assert.equal(termReader(term, dialects.sqlite)('0:30', undefined), '0.30')
    assert.equal(termReader(term, dialects.postgres)('-12.50', undefined), '-12.50')
    assert.equal(termReader(term, dialects.mariadb)('7', undefined), '7')
  })

  test('that is not a number is an error that names the column', () => {
    const read = termReader({ kind: 'sum', column: column('integer') }, dialects.sqlite)
    assert.throws(() => read(1.5e300, undefined), { code: 'E_COLUMN_VALUE', message: /^amount / })
  })

  test('beyond 2^53 is an error unless the column is a bigint', () => {
    const read = termReader({ kind: 'sum', column: column('integer') }, dialects.postgres)
    assert.equal(read('9007199254740991', undefined), Number.MAX_SAFE_INTEGER)
    assert.throws(() => read('9007199254740992', undefined), { code: 'E_INTEGER_RANGE' })
    assert.throws(() => read('-9007199254740992', undefined), { code: 'E_INTEGER_RANGE' })
  })
})

describe('an average', () => {
  test('of decimals has four digits more, with halves rounded away from zero', () => {
    const read = termReader({ kind: 'average', column: column('decimal') }, dialects.postgres)
    assert.equal(read('1.00', '3'), '0.333333')
    assert.equal(read('2.00', '3'), '0.666667')
    assert.equal(read('-2.00', '3'), '-0.666667')
    assert.equal(read(null, '0'), null)
  })

  test('of wide integers does not lose the sum', () => {
    const read = termReader({ kind: 'average', column: column('bigint') }, dialects.postgres)
    assert.equal(read('18014398509481985', '2'), 9_007_199_254_740_992)
    assert.equal(read('5', '2'), 2.5)
    assert.equal(read('-5', '2'), -2.5)
  })
})

describe('a decimal and its units', () => {
  test('are each other, with a sign and with zeros', () => {
    for (const [text, units] of [
      ['0.00', 0n],
      ['0.05', 5n],
      ['-0.05', -5n],
      ['12.30', 1230n],
      ['-7.00', -700n],
    ] as const) {
      assert.equal(unitsOf(text, 2), units)
      assert.equal(decimalOf(units, 2), text)
    }
    assert.equal(unitsOf('7', 0), 7n)
    assert.equal(decimalOf(-7n, 0), '-7')
    assert.equal(unitsOf('1.5', 3), 1500n)
  })
})
