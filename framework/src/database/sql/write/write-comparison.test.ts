import assert from 'node:assert/strict'
import { describe, test } from 'node:test'
import {
  compare,
  inEveryDialect,
  Kinds,
  planOf,
  Posts,
  textsOf,
} from '../../../../tests/support/sample-plans.ts'
import { dialects } from '../../../../tests/support/dialects.ts'
import type { Condition } from '../plan/condition.ts'
import type { Dialects } from '../dialects/dialect.ts'
import { Operators } from '../plan/operators.ts'
import { compileCount } from './compile-select.ts'

function written(...conditions: readonly Condition[]): Record<Dialects, string> {
  return textsOf((dialect) => compileCount(planOf(Posts, { conditions }), dialect), ' WHERE ')
}

function refusal(condition: Condition): () => unknown {
  return () =>
    inEveryDialect((dialect) => compileCount(planOf(Posts, { conditions: [condition] }), dialect))
}

test('a comparison has a quoted column and a bound value', () => {
  const signs = {
    [Operators.Equal]: '=',
    [Operators.Unequal]: '<>',
    [Operators.Greater]: '>',
    [Operators.GreaterOrEqual]: '>=',
    [Operators.Less]: '<',
    [Operators.LessOrEqual]: '<=',
  }
  for (const [operator, sign] of Object.entries(signs)) {
    const known = Object.values(Operators).find((candidate) => candidate === operator)
    assert.ok(known)
    const conditions = [compare('title', known, 'x')]
    assert.deepEqual(
      inEveryDialect((dialect) => compileCount(planOf(Posts, { conditions }), dialect)),
      {
        sqlite: {
          sql: `SELECT COUNT(*) AS total FROM "posts" WHERE "title" ${sign} ?`,
          parameters: ['x'],
        },
        postgres: {
          sql: `SELECT COUNT(*) AS total FROM "posts" WHERE "title" ${sign} $1`,
          parameters: ['x'],
        },
        mariadb: {
          sql: `SELECT COUNT(*) AS total FROM \`posts\` WHERE \`title\` ${sign} ?`,
          parameters: ['x'],
        },
      },
    )
  }
})

test('a text that no row can have finds nothing, instead of failing', () => {
  const found = (operator: Operators, value: unknown): Record<Dialects, string> =>
    written(compare('title', operator, value))
  assert.equal(found(Operators.Equal, 'a\0b').postgres, '1 = 0')
  assert.equal(found(Operators.Unequal, 'a\0b').postgres, '"title" IS NOT NULL')
  assert.equal(found(Operators.In, ['a\0b', 'x']).postgres, '"title" IN ($1)')
  assert.equal(found(Operators.In, ['a\0b']).postgres, '1 = 0')
  for (const unstorable of ['a\0b', '\ud800']) {
    for (const text of Object.values(found(Operators.Equal, unstorable))) {
      assert.equal(text, '1 = 0')
    }
  }
  // There is no telling where it would be in an order.
  assert.throws(refusal(compare('title', Operators.Greater, 'a\0b')), { name: 'RefusedInput' })
})

test('integers are compared as 64 bits on PostgreSQL, whatever the column is', () => {
  assert.equal(written(compare('views', Operators.Equal, 2 ** 40)).postgres, '"views" = $1::int8')
  assert.equal(
    written(compare('big', Operators.In, [1n, 2n], Kinds)).postgres,
    '"big" IN ($1::int8, $2::int8)',
  )
})

test('decimals are compared as decimals on MariaDB, not as doubles', () => {
  assert.deepEqual(written(compare('price', Operators.Greater, '19.90', Kinds)), {
    sqlite: '"price" > ?',
    postgres: '"price" > $1',
    mariadb: '`price` > CAST(? AS DECIMAL(65, 30))',
  })
})

test('a range binds both ends', () => {
  assert.deepEqual(written(compare('views', Operators.Between, [1, 5])), {
    sqlite: '"views" BETWEEN ? AND ?',
    postgres: '"views" BETWEEN $1::int8 AND $2::int8',
    mariadb: '`views` BETWEEN ? AND ?',
  })
})

test('a list binds every value, and an empty one selects nothing', () => {
  assert.equal(
    written(compare('title', Operators.In, ['a', 'b', 'c'])).sqlite,
    '"title" IN (?, ?, ?)',
  )
  assert.equal(written(compare('title', Operators.In, ['a', 'b'])).postgres, '"title" IN ($1, $2)')
  assert.deepEqual(written(compare('title', Operators.In, [])), {
    sqlite: '1 = 0',
    postgres: '1 = 0',
    mariadb: '1 = 0',
  })
})

test('NULL is written as IS NULL, also for Equal with null', () => {
  assert.equal(written(compare('note', Operators.IsNull)).sqlite, '"note" IS NULL')
  assert.equal(written(compare('note', Operators.IsNotNull)).sqlite, '"note" IS NOT NULL')
  assert.equal(written(compare('note', Operators.Equal, null)).sqlite, '"note" IS NULL')
  assert.equal(written(compare('note', Operators.Unequal, null)).sqlite, '"note" IS NOT NULL')
})

test('IsTrue is a comparison, which can use an index', () => {
  assert.equal(written(compare('isOpen', Operators.IsTrue)).mariadb, '`is_open` = TRUE')
  assert.equal(written(compare('isOpen', Operators.IsFalse)).postgres, '"is_open" = FALSE')
})

test('conditions are joined by AND and their parameters numbered continuously', () => {
  const conditions = [compare('title', Operators.Equal, 'x'), compare('note', Operators.Equal, 'y')]
  assert.equal(written(...conditions).postgres, '"title" = $1 AND "note" = $2')
})

describe('a filter is rejected before any query', () => {
  const refused = { name: 'InvalidArgumentException', code: 'E_COLUMN_VALUE' }

  test('if its value does not fit the column', () => {
    assert.throws(refusal(compare('views', Operators.Equal, '1; DROP TABLE posts')), refused)
    assert.throws(refusal(compare('views', Operators.Equal)), refused)
    assert.throws(refusal(compare('views', Operators.In, [1, '2'])), refused)
    assert.throws(refusal(compare('views', Operators.Between, [1, '2'])), refused)
  })

  test('if null is used in a range or list', () => {
    const message = 'a filter on note is invalid: null can be compared only by IsNull and IsNotNull'
    assert.throws(refusal(compare('note', Operators.Greater, null)), { ...refused, message })
    assert.throws(refusal(compare('note', Operators.In, ['a', null])), { ...refused, message })
    assert.throws(refusal(compare('note', Operators.Between, [null, 'a'])), { ...refused, message })
  })

  test('if its list or range is something else', () => {
    assert.throws(refusal(compare('views', Operators.In, 5)), refused)
    assert.throws(refusal(compare('views', Operators.In, 'abc')), refused)
    assert.throws(refusal(compare('views', Operators.Between, [1])), refused)
    assert.throws(refusal(compare('views', Operators.Between, { 0: 1, 1: 2, length: 2 })), refused)
  })

  test('if IsTrue or IsFalse is used on a column that is not boolean', () => {
    assert.throws(refusal(compare('views', Operators.IsTrue)), refused)
    assert.throws(refusal(compare('title', Operators.IsFalse)), refused)
  })

  test('if it compares JSON documents, which databases do differently', () => {
    assert.throws(refusal(compare('document', Operators.Equal, { a: 1 }, Kinds)), refused)
    assert.equal(
      written(compare('document', Operators.IsNull, undefined, Kinds)).sqlite,
      '"document" IS NULL',
    )
  })

  test('if its operator is unknown, as one from a query string may be', () => {
    const forged = JSON.parse('{"operator":"= 1 OR 1"}').operator
    assert.throws(refusal(compare('views', forged, 1)), {
      ...refused,
      message: /^a filter on views is invalid: its operator is none of equal, /,
    })
  })
})

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
