import assert from 'node:assert/strict'
import { describe, test } from 'node:test'
import {
  inEveryDialect,
  Kinds,
  match,
  planOf,
  Posts,
  textsOf,
} from '../../../../tests/support/sample-plans.ts'
import { compileCount } from './compile-count.ts'
import type { Condition } from '../plan/condition.ts'
import { Matches } from '../plan/operators.ts'

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
