import assert from 'node:assert/strict'
import { test } from 'node:test'
import * as fc from 'fast-check'
import { decimal } from '../../../orm/entity/column.ts'
import type { ColumnReference } from '../plan/column-reference.ts'
import { comparedDecimal, fitsCompared } from '../dialects/mariadb.ts'
import { decimalText, refuseInexact } from '../dialects/sqlite.ts'
import { fitsDecimal } from './decimal.ts'

test('a text fits a decimal if no digit would be lost', () => {
  const price = column(5, 2)
  for (const text of ['0', '-0', '1', '-999.99', '999.9', '000999.9900', '0.01', '12.0000']) {
    assert.ok(fitsDecimal(text, price), text)
  }
  const others = ['', '-', '.', '.5', '5.', '+5', '1e2', ' 1', '1 ', '1,5', '0x1', '1000', '0.001']
  for (const text of [...others, 'NaN', 'Infinity', '1.2.3', '１', '--1', '1\n']) {
    assert.ok(!fitsDecimal(text, price), text)
  }
})

test('a decimal of SQLite has the digits of its column, or more if SQLite let them in', () => {
  assert.equal(decimalText(19.9, 2), '19.90')
  assert.equal(decimalText(-0.05, 2), '-0.05')
  assert.equal(decimalText(3, 0), '3')
  assert.equal(decimalText(1.005, 2), '1.005')
})

test('fifteen digits survive a round trip through a double', () => {
  const digits = fc.tuple(fc.bigInt(0n, 999_999_999_999_999n), fc.integer({ min: 0, max: 15 }))
  fc.assert(
    fc.property(digits, fc.boolean(), ([number, scale], isNegative) => {
      const text = withPoint(number, scale)
      const signed = isNegative && number !== 0n ? `-${text}` : text
      assert.equal(decimalText(Number(signed), scale), signed)
    }),
    { numRuns: 300 },
  )
})

test('more than fifteen digits are rejected on SQLite', () => {
  assert.doesNotThrow(() => refuseInexact(column(15, 2)))
  assert.throws(() => refuseInexact(column(16, 2)), {
    name: 'InvalidArgumentException',
    code: 'E_ENTITY',
    message: /16 digits, but SQLite is exact only up to 15/,
  })
})

test('MariaDB compares in a type that has room for every digit of the column', () => {
  assert.equal(comparedDecimal(column(15, 2)), 'DECIMAL(65, 30)')
  assert.equal(comparedDecimal(column(65, 30)), 'DECIMAL(65, 30)')
  assert.equal(comparedDecimal(column(65, 0)), 'DECIMAL(65, 0)')
  assert.equal(comparedDecimal(column(40, 2)), 'DECIMAL(65, 27)')
})

test('what does not fit that type is not a valid position', () => {
  assert.ok(fitsCompared(`1.${'1'.repeat(30)}`, column(15, 2)))
  assert.ok(!fitsCompared(`1.${'1'.repeat(31)}`, column(15, 2)))
  assert.ok(fitsCompared('1'.repeat(35), column(15, 2)))
  assert.ok(!fitsCompared('1'.repeat(36), column(15, 2)))
})

function withPoint(number: bigint, scale: number): string {
  const digits = String(number).padStart(scale + 1, '0')
  return scale === 0 ? digits : `${digits.slice(0, -scale)}.${digits.slice(-scale)}`
}

function column(precision: number, scale: number): ColumnReference {
  return { ...decimal({ precision, scale }).options, name: 'price', kind: 'decimal' }
}
