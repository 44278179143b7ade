import assert from 'node:assert/strict'
import { test } from 'node:test'
import { compare, planOf, Posts, textsOf } from '../../../../tests/support/sample-plans.ts'
import { compileCount } from './compile-count.ts'
import type { Condition } from '../plan/condition.ts'
import { dialects } from '../../../../tests/support/dialects.ts'
import { Operators } from '../plan/operators.ts'
import { sql } from '../plan/statement.ts'

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
