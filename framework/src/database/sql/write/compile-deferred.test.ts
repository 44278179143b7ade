import assert from 'node:assert/strict'
import { test } from 'node:test'
import {
  by,
  compare,
  inEveryDialect,
  planOf,
  Posts,
} from '../../../../tests/support/sample-plans.ts'
import { compileDeferred } from './compile-deferred.ts'
import { compileSelect } from './compile-select.ts'
import { dialects } from '../../../../tests/support/dialects.ts'
import { Operators, Orders } from '../plan/operators.ts'

const orderings = [by('createdAt', Orders.Desc), by('id', Orders.Asc)]

test('a deferred page skips keys and joins the rows of the rest, in the same order', () => {
  const plan = planOf(Posts, {
    conditions: [compare('title', Operators.Equal, 'x')],
    orderings,
    limit: 10,
    offset: 100_000,
  })
  assert.deepEqual(
    inEveryDialect((dialect) => compileDeferred(plan, dialect)),
    {
      sqlite: {
        sql: 'SELECT "id", "title", "views", "is_open", "created_at", "note" FROM "posts" INNER JOIN (SELECT "id" FROM "posts" WHERE "title" = ? ORDER BY "created_at" DESC, "id" ASC LIMIT 10 OFFSET ?) AS framework_page USING ("id") ORDER BY "created_at" DESC, "id" ASC',
        parameters: ['x', 100_000],
        raw: true,
      },
      postgres: {
        sql: 'SELECT "id", "title", "views", "is_open", "created_at", "note" FROM "posts" INNER JOIN (SELECT "id" FROM "posts" WHERE "title" = $1 ORDER BY "created_at" DESC, "id" ASC LIMIT 10 OFFSET $2) AS framework_page USING ("id") ORDER BY "created_at" DESC, "id" ASC',
        parameters: ['x', 100_000],
        raw: true,
      },
      mariadb: {
        sql: 'SELECT `id`, `title`, `views`, `is_open`, `created_at`, `note` FROM `posts` INNER JOIN (SELECT `id` FROM `posts` WHERE `title` = ? ORDER BY `created_at` DESC, `id` ASC LIMIT 10 OFFSET ?) AS framework_page USING (`id`) ORDER BY `created_at` DESC, `id` ASC',
        parameters: ['x', 100_000],
        raw: true,
      },
    },
  )
})

test('a plan with a seek or a lock is compiled as usual', () => {
  const sought = planOf(Posts, { orderings, limit: 5, seek: { orderings, values: ['x', 1] } })
  const locked = planOf(Posts, { orderings, limit: 5, offset: 5, lock: 'update' })
  for (const dialect of Object.values(dialects)) {
    assert.deepEqual(compileDeferred(sought, dialect), compileSelect(sought, dialect))
    assert.deepEqual(compileDeferred(locked, dialect), compileSelect(locked, dialect))
  }
})

test('a deferred page without an order is refused', () => {
  assert.throws(() => compileDeferred(planOf(Posts, { limit: 5, offset: 5 }), dialects.sqlite), {
    name: 'InvalidArgumentException',
    code: 'E_INVALID_ARGUMENT',
  })
})
