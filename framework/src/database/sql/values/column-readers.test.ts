import assert from 'node:assert/strict'
import { describe, test } from 'node:test'
import { Kinds } from '../../../../tests/support/sample-plans.ts'
import { decimal, key } from '../../../orm/entity/column.ts'
import { entity } from '../../../orm/entity/entity.ts'
import { dialects } from '../../../../tests/support/dialects.ts'
import type { Dialect } from '../dialects/dialect.ts'
import { reader } from './column-readers.ts'

const { sqlite, postgres, mariadb } = dialects
const everywhere = [sqlite, postgres, mariadb]

function read(property: string, raw: unknown, dialect: Dialect): unknown {
  return reader(Kinds.column(property), dialect)(raw)
}

test('NULL is null for every kind and database', () => {
  for (const dialect of everywhere) {
    for (const { property } of Kinds.columns) assert.equal(read(property, null, dialect), null)
  }
})

test('SQLite returns integers as bigints, decimals as numbers, the rest as text or bytes', () => {
  assert.equal(read('whole', 5n, sqlite), 5)
  assert.equal(read('big', 2n ** 62n, sqlite), 2n ** 62n)
  assert.equal(read('price', 19.9, sqlite), '19.90')
  assert.equal(read('price', 20n, sqlite), '20.00')
  assert.equal(read('ratio', 0.1, sqlite), 0.1)
  assert.equal(read('ratio', 3n, sqlite), 3)
  assert.equal(read('flag', 1n, sqlite), true)
  assert.equal(read('flag', 0n, sqlite), false)
  assert.equal(read('name', 'é', sqlite), 'é')
  assert.deepEqual(
    read('moment', '2026-01-01 10:00:00.123456', sqlite),
    new Date('2026-01-01T10:00:00.123Z'),
  )
  assert.equal(read('exact', '2026-01-01 10:00:00.123456', sqlite), '2026-01-01 10:00:00.123456')
  assert.deepEqual(read('document', '{"a":[1]}', sqlite), { a: [1] })
  assert.deepEqual(read('content', new Uint8Array([1, 2]), sqlite), new Uint8Array([1, 2]))
})

test('PostgreSQL returns everything as text', () => {
  assert.equal(read('whole', '-5', postgres), -5)
  assert.equal(read('big', '9223372036854775807', postgres), 2n ** 63n - 1n)
  assert.equal(read('price', '19.90', postgres), '19.90')
  assert.equal(read('ratio', '1e-07', postgres), 1e-7)
  assert.equal(read('ratio', 'NaN', postgres), Number.NaN)
  assert.equal(read('ratio', '-Infinity', postgres), -Infinity)
  assert.equal(read('flag', 't', postgres), true)
  assert.equal(read('flag', 'f', postgres), false)
  assert.equal(read('name', '', postgres), '')
  assert.deepEqual(
    read('moment', '2026-01-01 10:00:00.5+00', postgres),
    new Date('2026-01-01T10:00:00.500Z'),
  )
  assert.equal(read('exact', '2026-01-01 10:00:00.5+00', postgres), '2026-01-01 10:00:00.500000')
  assert.deepEqual(read('document', 'null', postgres), null)
  assert.deepEqual(read('content', '\\x00ff', postgres), new Uint8Array([0, 255]))
  assert.deepEqual(read('content', '\\x', postgres), new Uint8Array())
})

test('MariaDB returns numbers, bigints for BIGINT, text for decimals and timestamps, buffers', () => {
  assert.equal(read('whole', 5, mariadb), 5)
  assert.equal(read('whole', 5n, mariadb), 5)
  assert.equal(read('big', 7n, mariadb), 7n)
  assert.equal(read('big', 7, mariadb), 7n)
  assert.equal(read('price', '19.90', mariadb), '19.90')
  assert.equal(read('ratio', 0.1, mariadb), 0.1)
  assert.equal(read('flag', 1, mariadb), true)
  assert.equal(read('flag', 0, mariadb), false)
  assert.deepEqual(
    read('moment', '2026-01-01 10:00:00.500000', mariadb),
    new Date('2026-01-01T10:00:00.500Z'),
  )
  assert.deepEqual(read('document', '[1]', mariadb), [1])
})

test('UUIDs are read in lower case, times without fractions, and enumerations as their text', () => {
  for (const dialect of everywhere) {
    assert.equal(
      read('code', '01980C5E-5C00-7000-8000-00000000000A', dialect),
      '01980c5e-5c00-7000-8000-00000000000a',
    )
    assert.equal(read('opens', '09:30:00.000000', dialect), '09:30:00')
    assert.equal(read('state', 'draft', dialect), 'draft')
    assert.equal(read('day', '2026-01-31', dialect), '2026-01-31')
  }
})

test('bytes are a copy as a plain Uint8Array, whatever buffer the driver used', () => {
  const packet = Buffer.from([9, 1, 2, 9])
  const content = read('content', packet.subarray(1, 3), mariadb)
  packet.fill(0)
  assert.deepEqual(content, new Uint8Array([1, 2]))
})

describe('an integer beyond 32 bits, and one beyond 2^53, is an error, never a wrong digit', () => {
  const raws = { sqlite: 2n ** 53n + 1n, postgres: '9007199254740993', mariadb: 2n ** 53n + 1n }
  const wide = { sqlite: 2n ** 31n, postgres: '2147483648', mariadb: 2n ** 31n }
  for (const dialect of everywhere) {
    test(`on ${dialect.name}`, () => {
      assert.equal(read('safe', wide[dialect.name], dialect), 2 ** 31)
      assert.throws(() => read('whole', wide[dialect.name], dialect), {
        name: 'FrameworkError',
        code: 'E_INTEGER_RANGE',
        message: /whole .* declare it safeInteger\(\)/,
      })
      assert.throws(() => read('safe', raws[dialect.name], dialect), {
        name: 'FrameworkError',
        code: 'E_INTEGER_RANGE',
        message: /safe .* declare it bigint\(\)/,
      })
    })
  }
})

describe('a value of another type than declared is an error that does not repeat it', () => {
  const raws: Readonly<Record<string, readonly unknown[]>> = {
    safe: ['abc', 1.5, '', {}],
    code: ['', 'abc', 5, new Uint8Array(16)],
    state: ['', 'gone', 1],
    day: ['2026-02-30', 5],
    opens: ['24:00:00', '-01:00:00', '12:30', '12:30:00.5', 5],
    whole: ['abc', 1.5, '', '1.5', new Uint8Array(1), {}, undefined],
    big: ['abc', '1.5', 1.5, {}],
    ratio: ['abc', '', {}],
    flag: ['yes', '', {}],
    name: [5n, 5, new Uint8Array(1)],
    moment: ['abc', '2026-02-30 00:00:00', 'infinity', 5n],
    exact: ['abc', '', 5],
    document: ['{', '', 5],
    content: ['abc', 5],
  }
  for (const [property, values] of Object.entries(raws)) {
    test(`by ${property}`, () => {
      for (const dialect of everywhere) {
        for (const raw of values) {
          assert.throws(() => read(property, raw, dialect), {
            name: 'FrameworkError',
            code: 'E_COLUMN_VALUE',
            message: new RegExp(`^${property} contains a value that is not `),
          })
        }
      }
    })
  }
})

test('a decimal too wide for SQLite is rejected before a row is read', () => {
  const Wide = entity('wide', { id: key.integer(), amount: decimal({ precision: 16, scale: 2 }) })
  assert.throws(() => reader(Wide.column('amount'), sqlite), { code: 'E_ENTITY' })
  assert.doesNotThrow(() => reader(Wide.column('amount'), postgres))
})
