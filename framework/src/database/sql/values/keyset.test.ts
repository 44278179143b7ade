import assert from 'node:assert/strict'
import { describe, test } from 'node:test'
import { Kinds } from '../../../../tests/support/sample-plans.ts'
import { decimal, key } from '../../../orm/entity/column.ts'
import { entity } from '../../../orm/entity/entity.ts'
import { dialects } from '../../../../tests/support/dialects.ts'
import type { Dialect } from '../dialects/dialect.ts'
import { keysetBinding, keysetValue } from './keyset.ts'

const { sqlite, postgres, mariadb } = dialects
const everywhere = [sqlite, postgres, mariadb]

type Way = readonly [
  dialect: Dialect,
  property: string,
  raw: unknown,
  scalar: unknown,
  bound: unknown,
]

// As it was stored, since it is compared as a text.
const upper = '01980C5E-5C00-7000-8000-00000000000A'

const ways: readonly Way[] = [
  [sqlite, 'whole', 5n, 5, 5],
  [sqlite, 'big', 2n ** 63n - 1n, '9223372036854775807', 2n ** 63n - 1n],
  [sqlite, 'price', 19.9, '19.9', 19.9],
  [sqlite, 'price', 20n, '20', 20],
  [sqlite, 'price', -1e-7, '-1e-7', -1e-7],
  [sqlite, 'ratio', 0.1, 0.1, 0.1],
  [sqlite, 'ratio', -Infinity, '-Infinity', -Infinity],
  [sqlite, 'flag', 1n, true, true],
  [sqlite, 'name', 'Bob', 'Bob', 'Bob'],
  [sqlite, 'safe', 2n ** 40n, 2 ** 40, 2 ** 40],
  [sqlite, 'code', upper, upper, upper],
  [sqlite, 'state', 'live', 'live', 'live'],
  [sqlite, 'day', '2026-01-31', '2026-01-31', '2026-01-31'],
  [sqlite, 'opens', '09:30:00', '09:30:00', '09:30:00'],
  [
    sqlite,
    'moment',
    '2026-01-01 10:00:00.123456',
    '2026-01-01 10:00:00.123456',
    '2026-01-01 10:00:00.123456',
  ],
  [sqlite, 'moment', '2026-01-01T10:00:00Z', '2026-01-01T10:00:00Z', '2026-01-01T10:00:00Z'],
  [postgres, 'whole', '5', 5, 5],
  [postgres, 'big', '-9223372036854775808', '-9223372036854775808', -(2n ** 63n)],
  [postgres, 'price', '19.90', '19.90', '19.90'],
  [postgres, 'price', 'NaN', 'NaN', 'NaN'],
  [
    postgres,
    'price',
    '0.123456789012345678901234567890',
    '0.123456789012345678901234567890',
    '0.123456789012345678901234567890',
  ],
  [postgres, 'ratio', '0.1', 0.1, 0.1],
  [postgres, 'ratio', 'NaN', 'NaN', 'NaN'],
  [postgres, 'ratio', 'Infinity', 'Infinity', 'Infinity'],
  [postgres, 'flag', 'f', false, false],
  [postgres, 'name', 'Bob', 'Bob', 'Bob'],
  [
    postgres,
    'moment',
    '2026-01-01 10:00:00.5+00',
    '2026-01-01 10:00:00.5+00',
    '2026-01-01 10:00:00.5+00',
  ],
  [
    postgres,
    'exact',
    '2026-01-01 10:00:00.123456',
    '2026-01-01 10:00:00.123456',
    '2026-01-01 10:00:00.123456',
  ],
  [mariadb, 'whole', 5, 5, 5],
  [mariadb, 'big', 7n, '7', 7n],
  [mariadb, 'price', '19.90', '19.90', '19.90'],
  [mariadb, 'ratio', 0.1, 0.1, 0.1],
  [mariadb, 'flag', 0, false, false],
  [
    mariadb,
    'exact',
    '2026-01-01 10:00:00.123456',
    '2026-01-01 10:00:00.123456',
    '2026-01-01 10:00:00.123456',
  ],
]

describe('a raw value becomes a JSON scalar and from that a parameter', () => {
  for (const [dialect, property, raw, scalar, bound] of ways) {
    test(`${property} ${String(raw)} on ${dialect.name}`, () => {
      const column = Kinds.column(property)
      const given = keysetValue(column, raw, dialect)
      assert.equal(given, scalar)
      assert.equal(keysetBinding(column, JSON.parse(JSON.stringify(given)), dialect), bound)
    })
  }
})

test('NULL, json and bytes cannot be in a cursor', () => {
  const refusal = { name: 'InvalidArgumentException', code: 'E_CURSOR' }
  for (const dialect of everywhere) {
    for (const { property, kind } of Kinds.columns) {
      assert.throws(() => keysetValue(Kinds.column(property), null, dialect), refusal)
      if (kind !== 'json' && kind !== 'bytes') continue
      assert.throws(() => keysetBinding(Kinds.column(property), 'e30', dialect), refusal)
    }
    assert.throws(() => keysetValue(Kinds.column('document'), '{}', dialect), refusal)
  }
  assert.throws(() => keysetValue(Kinds.column('content'), new Uint8Array(1), sqlite), refusal)
})

describe('a scalar that the column cannot have is rejected before any query', () => {
  const scalars: Readonly<Record<string, readonly unknown[]>> = {
    whole: ['5', 1.5, 3e9, 2 ** 53, true, null, 'DROP TABLE posts'],
    safe: ['5', 1.5, 2 ** 53, true],
    code: [5, '', 'x', '01980c5e-5c00-7000-8000-00000000000', "' OR 1=1"],
    state: ['gone', '', 'Draft', 0],
    day: [5, '', '2026-02-30', 'now'],
    opens: [5, '', '9:30', '09:30', '24:00:00', 'now'],
    big: [5, '5.0', '9223372036854775808', '-9223372036854775809', '', '1n', ' 1', '0x1', '1e3'],
    price: [19.9, '', '1,5', '1; --', '0x10', '+1', '1.2.3', "1' OR '1'='1"],
    ratio: ['0.1', '', 'infinity', true],
    flag: [0, 1, 'true', 't'],
    name: [5, true, null, undefined],
    moment: [5, '', '2026-02-30 00:00:00', 'infinity', "2026-01-01 10:00:00' OR 1=1", true],
    exact: [5, '2026-01-01', 'now()'],
  }
  for (const [property, values] of Object.entries(scalars)) {
    test(`by ${property}`, () => {
      for (const dialect of everywhere) {
        for (const scalar of values) {
          assert.throws(() => keysetBinding(Kinds.column(property), scalar, dialect), {
            name: 'InvalidArgumentException',
            code: 'E_CURSOR',
          })
        }
      }
    })
  }

  test('including one that only another database could have', () => {
    const refusal = { code: 'E_CURSOR' }
    const zoned = '2026-01-01 10:00:00+00'
    assert.throws(() => keysetBinding(Kinds.column('moment'), zoned, mariadb), refusal)
    assert.throws(() => keysetBinding(Kinds.column('name'), 'a\0', postgres), refusal)
    assert.throws(() => keysetBinding(Kinds.column('ratio'), 'NaN', sqlite), refusal)
    assert.throws(() => keysetBinding(Kinds.column('ratio'), 'Infinity', mariadb), refusal)
    assert.throws(() => keysetBinding(Kinds.column('price'), 'NaN', mariadb), refusal)
    assert.throws(() => keysetBinding(Kinds.column('price'), 'NaN', sqlite), refusal)
    assert.throws(() => keysetBinding(Kinds.column('price'), '1e-7', postgres), refusal)
    assert.throws(() => keysetBinding(Kinds.column('price'), '1e+999', sqlite), refusal)
    assert.throws(
      () => keysetBinding(Kinds.column('price'), `0.${'1'.repeat(31)}`, mariadb),
      refusal,
    )
  })

  test('and the error names the column without repeating a text', () => {
    assert.throws(() => keysetBinding(Kinds.column('whole'), 'hunter2', sqlite), {
      message:
        'the cursor cannot be used: it contains a text for whole, which is integer; start again without a cursor',
    })
  })
})

test('an integer beyond 2^53 is an error here too', () => {
  assert.throws(() => keysetValue(Kinds.column('whole'), 2n ** 53n + 1n, sqlite), {
    code: 'E_INTEGER_RANGE',
  })
})

test('a decimal too wide for SQLite is refused', () => {
  const Wide = entity('wide', { id: key.integer(), amount: decimal({ precision: 16, scale: 2 }) })
  assert.throws(() => keysetBinding(Wide.column('amount'), '1.00', sqlite), { code: 'E_ENTITY' })
})
