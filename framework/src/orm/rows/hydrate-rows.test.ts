import assert from 'node:assert/strict'
import { describe, test } from 'node:test'
import { dialects } from '../../../tests/support/dialects.ts'
import { bigint, boolean, decimal, integer, key, text, timestamp } from '../entity/column.ts'
import { entity } from '../entity/entity.ts'
import { hydrateRows, rawRows } from './hydrate-rows.ts'

const Posts = entity('posts', {
  id: key.integer(),
  title: text(),
  size: bigint(),
  isOpen: boolean(),
  publishedAt: timestamp().nullable(),
})

describe('raw rows become objects by property, typed as the columns are declared', () => {
  const expected = {
    id: 7,
    title: 'Tea',
    size: 2n ** 62n,
    isOpen: true,
    publishedAt: new Date('2026-01-31T12:00:00.123Z'),
  }

  test('from the text of PostgreSQL', () => {
    const raw = ['7', 'Tea', '4611686018427387904', 't', '2026-01-31 12:00:00.123456+00']
    assert.deepEqual(hydrateRows(Posts.columns, dialects.postgres, [raw]), [expected])
  })

  test('from the values of MariaDB', () => {
    const raw = [7, 'Tea', 4_611_686_018_427_387_904n, 1, '2026-01-31 12:00:00.123456']
    assert.deepEqual(hydrateRows(Posts.columns, dialects.mariadb, [raw]), [expected])
  })

  test('from the values of SQLite', () => {
    const raw = [7n, 'Tea', 4_611_686_018_427_387_904n, 1n, '2026-01-31 12:00:00.123456']
    assert.deepEqual(hydrateRows(Posts.columns, dialects.sqlite, [raw]), [expected])
  })
})

test('NULL becomes null', () => {
  const [row] = hydrateRows(Posts.columns, dialects.sqlite, [[1n, 'Tea', 1n, 0n, null]])
  assert.equal(row?.['publishedAt'], null)
})

test('properties are in the order of the columns, and a row is a plain object', () => {
  const [row] = hydrateRows(Posts.columns, dialects.sqlite, [[1n, 'Tea', 1n, 0n, null]])
  assert.deepEqual(Object.keys(row ?? {}), ['id', 'title', 'size', 'isOpen', 'publishedAt'])
  assert.equal(Object.getPrototypeOf(row), Object.prototype)
})

test('no rows become no rows', () => {
  assert.deepEqual(hydrateRows(Posts.columns, dialects.postgres, []), [])
})

test('extra raw values are ignored', () => {
  const Words = entity('words', { id: key.integer() })
  assert.deepEqual(hydrateRows(Words.columns, dialects.mariadb, [[1, 99]]), [{ id: 1 }])
})

test('a property name may contain any characters', () => {
  const name = '"}; globalThis.broken = 1; ({ "\u2028'
  const Odd = entity('odd', { id: key.integer(), [name]: text('word') })
  assert.deepEqual(hydrateRows(Odd.columns, dialects.mariadb, [[1, 'x']]), [{ id: 1, [name]: 'x' }])
  assert.equal('broken' in globalThis, false)
})

test('a whole number beyond 2^53 in an integer column is an error, never a wrong digit', () => {
  const Words = entity('words', { id: key.integer(), views: integer() })
  const raw = [1n, 9_007_199_254_740_993n]
  assert.throws(() => hydrateRows(Words.columns, dialects.sqlite, [raw]), {
    code: 'E_INTEGER_RANGE',
  })
})

test('a column that SQLite cannot store exactly is rejected', () => {
  const Prices = entity('prices', { id: key.integer(), amount: decimal({ precision: 20 }) })
  assert.throws(() => hydrateRows(Prices.columns, dialects.sqlite, []), { code: 'E_ENTITY' })
  assert.deepEqual(hydrateRows(Prices.columns, dialects.mariadb, [[1, '1.50']]), [
    { id: 1, amount: '1.50' },
  ])
})

test('rawRows returns lists, and rejects objects', () => {
  assert.deepEqual(rawRows({ rows: [[1]], affected: 1 }), [[1]])
  assert.deepEqual(rawRows({ rows: [], affected: 0 }), [])
  assert.throws(() => rawRows({ rows: [{ id: 1 }], affected: 1 }), { code: 'E_DATABASE' })
})
