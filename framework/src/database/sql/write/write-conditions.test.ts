import assert from 'node:assert/strict'
import { describe, test } from 'node:test'
import {
  compare,
  inEveryDialect,
  Kinds,
  match,
  planOf,
  Posts,
  textsOf,
} from '../../../../tests/support/sample-plans.ts'
import { dialects } from '../../../../tests/support/dialects.ts'
import type { Condition } from '../plan/condition.ts'
import { Matches, Operators } from '../plan/operators.ts'
import { sql } from '../plan/statement.ts'
import { compileCount } from './compile-select.ts'

const title = compare('title', Operators.Equal, 'x')
const views = compare('views', Operators.Greater, 1)
const open = compare('isOpen', Operators.IsTrue)

function written(...conditions: readonly Condition[]): string {
  return textsOf((dialect) => compileCount(planOf(Posts, { conditions }), dialect), ' WHERE ')
    .postgres
}

test('branches are joined by OR, and conditions within one by AND', () => {
  assert.equal(
    written(open, { type: 'either', branches: [[title], [views, open]] }, views),
    '"is_open" = TRUE AND ("title" = $1 OR ("views" > $2::int8 AND "is_open" = TRUE)) AND "views" > $3::int8',
  )
})

test('branches nest', () => {
  const inner: Condition = { type: 'either', branches: [[title], [open]] }
  assert.equal(
    written({ type: 'either', branches: [[inner, views], [open]] }),
    '((("title" = $1 OR "is_open" = TRUE) AND "views" > $2::int8) OR "is_open" = TRUE)',
  )
})

test('either without branches selects nothing, and a branch without conditions selects all', () => {
  assert.equal(written({ type: 'either', branches: [] }), '1 = 0')
  assert.equal(written({ type: 'either', branches: [[], [title]] }), '(1 = 1 OR "title" = $1)')
})

test('custom SQL is in parentheses, with continuous parameter numbers', () => {
  const statement = sql`length(title) > ${10} or ${sql.name('views')} in (${sql.list([1, 2])})`
  const conditions: Condition[] = [title, { type: 'handwritten', statement }, views]
  assert.deepEqual(compileCount(planOf(Posts, { conditions }), dialects.postgres), {
    sql: 'SELECT COUNT(*) AS total FROM "posts" WHERE "title" = $1 AND (length(title) > $2 or "views" in ($3, $4)) AND "views" > $5::int8',
    parameters: ['x', 10, 1, 2, 1],
  })
  assert.deepEqual(compileCount(planOf(Posts, { conditions }), dialects.mariadb), {
    sql: 'SELECT COUNT(*) AS total FROM `posts` WHERE `title` = ? AND (length(title) > ? or `views` in (?, ?)) AND `views` > ?',
    parameters: ['x', 10, 1, 2, 1],
  })
})

const counted = (condition: Condition) =>
  inEveryDialect((dialect) => compileCount(planOf(Posts, { conditions: [condition] }), dialect))

function pattern(condition: Condition): unknown {
  return counted(condition).sqlite.parameters[0]
}

test('a match ignores case on every database', () => {
  const conditions = [match('title', Matches.Contains, 'node')]
  const texts = textsOf(
    (dialect) => compileCount(planOf(Posts, { conditions }), dialect),
    ' WHERE ',
  )
  assert.deepEqual(texts, {
    sqlite: `"title" LIKE ? ESCAPE '!'`,
    postgres: `"title" ILIKE $1 ESCAPE '!'`,
    mariadb: "LOWER(`title`) LIKE LOWER(?) ESCAPE '!'",
  })
})

test('in a user pattern the backslash escapes on every database', () => {
  const conditions = [match('title', Matches.Like, '100\\%')]
  const texts = textsOf(
    (dialect) => compileCount(planOf(Posts, { conditions }), dialect),
    ' WHERE ',
  )
  assert.deepEqual(texts, {
    sqlite: `"title" LIKE ? ESCAPE '\\'`,
    postgres: '"title" ILIKE $1',
    mariadb: 'LOWER(`title`) LIKE LOWER(?)',
  })
})

test('Contains, StartsWith and EndsWith escape everything but their own wildcards', () => {
  assert.equal(pattern(match('title', Matches.Like, 'a%_b!')), 'a%_b!')
  assert.equal(pattern(match('title', Matches.Contains, 'a%_b!\\')), '%a!%!_b!!\\%')
  assert.equal(pattern(match('title', Matches.StartsWith, '%')), '!%%')
  assert.equal(pattern(match('title', Matches.EndsWith, '_')), '%!_')
  assert.equal(pattern(match('title', Matches.Contains, '')), '%%')
})

describe('a match is rejected before any query', () => {
  const refused = { name: 'InvalidArgumentException', code: 'E_COLUMN_VALUE' }

  test('with a NUL in its text', () => {
    for (const matching of Object.values(Matches)) {
      assert.throws(() => counted(match('title', matching, 'a\0b')), {
        name: 'RefusedInput',
        code: 'E_COLUMN_VALUE',
      })
    }
  })

  test('on a column that is not text', () => {
    const patterns = { price: '1.00', exact: '2026-01-31 12:00:00', whole: '1' }
    for (const [property, text] of Object.entries(patterns)) {
      assert.throws(() => counted(match(property, Matches.Contains, text, Kinds)), {
        ...refused,
        message: /^a match on \w+ is invalid: it needs a text column, this one is /,
      })
    }
  })

  test('with a pattern that is not text', () => {
    const forged = JSON.parse('[null, 5, ["%"], {}]')
    for (const text of forged) {
      assert.throws(() => counted(match('title', Matches.Contains, text)), refused)
      assert.throws(() => counted(match('note', Matches.Contains, text)), refused)
    }
  })

  test('with a pattern that ends with a dangling escape', () => {
    assert.throws(() => counted(match('title', Matches.Like, 'a\\')), refused)
    assert.throws(() => counted(match('title', Matches.Like, '\\\\\\')), refused)
    assert.doesNotThrow(() => counted(match('title', Matches.Like, 'a\\\\')))
    assert.doesNotThrow(() => counted(match('title', Matches.EndsWith, 'a\\')))
  })

  test('if it is unknown', () => {
    const forged = JSON.parse('{"match":"regexp"}').match
    assert.throws(() => counted(match('title', forged, 'a')), refused)
  })
})
