import assert from 'node:assert/strict'
import { test } from 'node:test'
import { dialects } from '../../../../tests/support/dialects.ts'
import { compare, planOf, Posts } from '../../../../tests/support/sample-plans.ts'
import { Operators } from '../plan/operators.ts'
import { compileCount } from './compile-count.ts'

const at = new Date('2026-01-31T12:00:00.120Z')
const second = new Date('2026-01-31T12:00:01.000Z')
const last = new Date('9999-12-31T23:59:59.999Z')

function where(operator: Operators, value: unknown): readonly [string, readonly unknown[]] {
  const plan = planOf(Posts, { conditions: [compare('createdAt', operator, value)] })
  const { sql, parameters } = compileCount(plan, dialects.sqlite)
  return [sql.slice(sql.indexOf('WHERE ') + 6).replaceAll('"created_at"', 'at'), parameters]
}

test('a Date is compared as its millisecond, by ranges that an index serves', () => {
  const [start, end] = ['2026-01-31 12:00:00.12', '2026-01-31 12:00:00.121']
  assert.deepEqual(where(Operators.Equal, at), ['(at >= ? AND at < ?)', [start, end]])
  assert.deepEqual(where(Operators.Unequal, at), ['(at < ? OR at >= ?)', [start, end]])
  assert.deepEqual(where(Operators.Greater, at), ['at >= ?', [end]])
  assert.deepEqual(where(Operators.GreaterOrEqual, at), ['at >= ?', [start]])
  assert.deepEqual(where(Operators.Less, at), ['at < ?', [start]])
  assert.deepEqual(where(Operators.LessOrEqual, at), ['at < ?', [end]])
  assert.deepEqual(where(Operators.Between, [at, second]), [
    '(at >= ? AND at < ?)',
    [start, '2026-01-31 12:00:01.001'],
  ])
  assert.deepEqual(where(Operators.In, [at, second]), [
    '((at >= ? AND at < ?) OR (at >= ? AND at < ?))',
    [start, end, '2026-01-31 12:00:01', '2026-01-31 12:00:01.001'],
  ])
  assert.deepEqual(where(Operators.In, []), ['1 = 0', []])
})

test('after the last millisecond there is nothing', () => {
  const text = '9999-12-31 23:59:59.999'
  assert.deepEqual(where(Operators.Equal, last), ['(at >= ? AND at IS NOT NULL)', [text]])
  assert.deepEqual(where(Operators.Greater, last), ['1 = 0', []])
  assert.deepEqual(where(Operators.LessOrEqual, last), ['at IS NOT NULL', []])
})

test('anything but a Date is refused as ever', () => {
  for (const value of ['2026-01-31', 0, new Date(Number.NaN), undefined]) {
    assert.throws(() => where(Operators.Equal, value), { code: 'E_COLUMN_VALUE' })
    assert.throws(() => where(Operators.In, [at, value]), { code: 'E_COLUMN_VALUE' })
    assert.throws(() => where(Operators.Between, [at, value]), { code: 'E_COLUMN_VALUE' })
  }
})
