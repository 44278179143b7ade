import assert from 'node:assert/strict'
import { test } from 'node:test'
import {
  by,
  compare,
  inEveryDialect,
  planOf,
  Posts,
} from '../../../../tests/support/sample-plans.ts'
import { compileCount } from './compile-count.ts'
import { Operators, Orders } from '../plan/operators.ts'

test('a count contains only the conditions of a plan', () => {
  const orderings = [by('views', Orders.Desc), by('id', Orders.Asc)]
  const plan = planOf(Posts, {
    conditions: [compare('title', Operators.Equal, 'x')],
    orderings,
    seek: { orderings, values: [5, 7] },
    limit: 10,
    offset: 20,
    lock: 'update',
  })
  assert.deepEqual(
    inEveryDialect((dialect) => compileCount(plan, dialect)),
    {
      sqlite: { sql: 'SELECT COUNT(*) AS total FROM "posts" WHERE "title" = ?', parameters: ['x'] },
      postgres: {
        sql: 'SELECT COUNT(*) AS total FROM "posts" WHERE "title" = $1',
        parameters: ['x'],
      },
      mariadb: {
        sql: 'SELECT COUNT(*) AS total FROM `posts` WHERE `title` = ?',
        parameters: ['x'],
      },
    },
  )
})

test('without conditions every row is counted', () => {
  const { sqlite } = inEveryDialect((dialect) => compileCount(planOf(Posts), dialect))
  assert.deepEqual(sqlite, { sql: 'SELECT COUNT(*) AS total FROM "posts"', parameters: [] })
})
