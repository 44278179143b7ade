import assert from 'node:assert/strict'
import { test } from 'node:test'
import { compare, inEveryDialect, Posts } from '../../../../tests/support/sample-plans.ts'
import { compileDelete } from './compile-delete.ts'
import { dialects } from '../../../../tests/support/dialects.ts'
import { Operators } from '../plan/operators.ts'

test('a delete has conditions, and can return rows on every database', () => {
  const plan = {
    table: 'posts',
    conditions: [compare('id', Operators.In, [7, 8])],
    returning: [Posts.column('id')],
  }
  assert.deepEqual(
    inEveryDialect((dialect) => compileDelete(plan, dialect)),
    {
      sqlite: {
        sql: 'DELETE FROM "posts" WHERE "id" IN (?, ?) RETURNING "id"',
        parameters: [7, 8],
        raw: true,
      },
      postgres: {
        sql: 'DELETE FROM "posts" WHERE "id" IN ($1::int8, $2::int8) RETURNING "id"',
        parameters: [7, 8],
        raw: true,
      },
      mariadb: {
        sql: 'DELETE FROM `posts` WHERE `id` IN (?, ?) RETURNING `id`',
        parameters: [7, 8],
        raw: true,
      },
    },
  )
})

test('a delete without conditions deletes all rows, and one by an empty list none', () => {
  const plan = { table: 'posts', conditions: [], returning: [] }
  assert.equal(compileDelete(plan, dialects.sqlite).sql, 'DELETE FROM "posts"')
  const none = [compare('id', Operators.In, [])]
  assert.equal(
    compileDelete({ ...plan, conditions: none }, dialects.sqlite).sql,
    'DELETE FROM "posts" WHERE 1 = 0',
  )
})
