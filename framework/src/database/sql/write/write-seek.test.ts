import assert from 'node:assert/strict'
import { describe, test } from 'node:test'
import {
  by,
  compare,
  inEveryDialect,
  Kinds,
  planOf,
  Posts,
} from '../../../../tests/support/sample-plans.ts'
import { compileSelect } from './compile-select.ts'
import type { Dialects } from '../dialects/dialect.ts'
import { Operators, Orders } from '../plan/operators.ts'
import type { Query } from '../plan/statement.ts'
import type { Ordering, SelectPlan } from '../plan/select-plan.ts'

const { Asc, Desc } = Orders
const id = Posts.column('id')
const created = Posts.column('createdAt')
const moment = '2026-01-01 10:00:00.000000'

// A page after a position; `columns` are few to keep the texts short.
function page(
  orderings: readonly Ordering[],
  values: readonly unknown[],
  parts: Partial<SelectPlan> = {},
): Record<Dialects, Query> {
  const columns = orderings.map(({ column }) => column)
  const seek = { orderings, values }
  const plan = planOf(Posts, { columns, orderings, seek, limit: 11, ...parts })
  return inEveryDialect((dialect) => compileSelect(plan, dialect))
}

test('one column is compared with its value', () => {
  const { sqlite, postgres, mariadb } = page([by('id', Asc)], [7])
  assert.equal(sqlite.sql, 'SELECT "id" FROM "posts" WHERE "id" > ? ORDER BY "id" ASC LIMIT 11')
  assert.equal(
    postgres.sql,
    'SELECT "id" FROM "posts" WHERE "id" > $1::int8 ORDER BY "id" ASC LIMIT 11',
  )
  assert.equal(mariadb.sql, 'SELECT `id` FROM `posts` WHERE `id` > ? ORDER BY `id` ASC LIMIT 11')
  assert.deepEqual(sqlite.parameters, [7])
  assert.match(page([by('id', Desc)], [7]).sqlite.sql, /"id" < \?/)
})

describe('columns in one direction', () => {
  const queries = page([by('createdAt', Desc), by('id', Desc)], [moment, 7])

  test('are one row value on PostgreSQL', () => {
    assert.equal(
      queries.postgres.sql,
      'SELECT "created_at", "id" FROM "posts" WHERE ("created_at", "id") < ($1, $2::int8) ORDER BY "created_at" DESC, "id" DESC LIMIT 11',
    )
    assert.deepEqual(queries.postgres.parameters, [moment, 7])
  })

  test('are one branch per column on SQLite, whose row values do not include the rowid', () => {
    assert.equal(
      queries.sqlite.sql,
      'SELECT "created_at", "id" FROM "posts" WHERE "created_at" = ? AND "id" < ? UNION ALL SELECT "created_at", "id" FROM "posts" WHERE "created_at" < ? ORDER BY "created_at" DESC, "id" DESC LIMIT 11',
    )
    assert.deepEqual(queries.sqlite.parameters, [moment, 7, moment])
  })

  test('are a chain on MariaDB, which turns it into ranges', () => {
    assert.equal(
      queries.mariadb.sql,
      'SELECT `created_at`, `id` FROM `posts` WHERE (`created_at` < ? OR (`created_at` = ? AND `id` < ?)) ORDER BY `created_at` DESC, `id` DESC LIMIT 11',
    )
    assert.deepEqual(queries.mariadb.parameters, [moment, moment, 7])
  })
})

describe('columns in mixed directions', () => {
  const queries = page([by('views', Desc), by('title', Asc), by('id', Asc)], [5, 'x', 7])

  test('are one limited branch for each change of direction on PostgreSQL', () => {
    assert.equal(
      queries.postgres.sql,
      '(SELECT "views", "title", "id" FROM "posts" WHERE "views" = $1::int8 AND ("title", "id") > ($2, $3::int8) ORDER BY "views" DESC, "title" ASC, "id" ASC LIMIT 11) UNION ALL (SELECT "views", "title", "id" FROM "posts" WHERE "views" < $4::int8 ORDER BY "views" DESC, "title" ASC, "id" ASC LIMIT 11) ORDER BY "views" DESC, "title" ASC, "id" ASC LIMIT 11',
    )
    assert.deepEqual(queries.postgres.parameters, [5, 'x', 7, 5])
  })

  test('are one branch per column on SQLite', () => {
    assert.equal(
      queries.sqlite.sql,
      'SELECT "views", "title", "id" FROM "posts" WHERE "views" = ? AND "title" = ? AND "id" > ? UNION ALL SELECT "views", "title", "id" FROM "posts" WHERE "views" = ? AND "title" > ? UNION ALL SELECT "views", "title", "id" FROM "posts" WHERE "views" < ? ORDER BY "views" DESC, "title" ASC, "id" ASC LIMIT 11',
    )
    assert.deepEqual(queries.sqlite.parameters, [5, 'x', 7, 5, 'x', 5])
  })

  test('are a chain on MariaDB', () => {
    assert.equal(
      queries.mariadb.sql,
      'SELECT `views`, `title`, `id` FROM `posts` WHERE (`views` < ? OR (`views` = ? AND (`title` > ? OR (`title` = ? AND `id` > ?)))) ORDER BY `views` DESC, `title` ASC, `id` ASC LIMIT 11',
    )
    assert.deepEqual(queries.mariadb.parameters, [5, 5, 'x', 'x', 7])
  })
})

test('conditions are repeated in every branch', () => {
  const conditions = [compare('isOpen', Operators.IsTrue), compare('title', Operators.Equal, 'x')]
  const { sqlite, postgres } = page([by('views', Desc), by('id', Asc)], [5, 7], { conditions })
  const where = 'WHERE "is_open" = TRUE AND "title" ='
  assert.equal(
    sqlite.sql,
    `SELECT "views", "id" FROM "posts" ${where} ? AND "views" = ? AND "id" > ? UNION ALL SELECT "views", "id" FROM "posts" ${where} ? AND "views" < ? ORDER BY "views" DESC, "id" ASC LIMIT 11`,
  )
  assert.deepEqual(sqlite.parameters, ['x', 5, 7, 'x', 5])
  assert.equal(
    postgres.sql,
    `(SELECT "views", "id" FROM "posts" ${where} $1 AND "views" = $2::int8 AND "id" > $3::int8 ORDER BY "views" DESC, "id" ASC LIMIT 11) UNION ALL (SELECT "views", "id" FROM "posts" ${where} $4 AND "views" < $5::int8 ORDER BY "views" DESC, "id" ASC LIMIT 11) ORDER BY "views" DESC, "id" ASC LIMIT 11`,
  )
})

describe('branches are replaced by one condition', () => {
  const orderings = [by('views', Desc), by('id', Asc)]
  const chain = 'WHERE "views" <= ? AND ("views" < ? OR ("views" = ? AND "id" > ?))'
  const single = (parts: Partial<SelectPlan>): string => page(orderings, [5, 7], parts).sqlite.sql

  test('without a limit, with an offset, and under a lock', () => {
    assert.equal(
      single({ limit: null }),
      `SELECT "views", "id" FROM "posts" ${chain} ORDER BY "views" DESC, "id" ASC`,
    )
    assert.match(
      single({ offset: 5 }),
      /^SELECT "views", "id" FROM "posts" WHERE "views" <= .* LIMIT 11 OFFSET \?$/,
    )
    assert.match(
      page(orderings, [5, 7], { lock: 'update' }).postgres.sql,
      /^SELECT .* WHERE "views" <= \$1::int8 AND .* LIMIT 11 FOR UPDATE$/,
    )
  })

  test('if the order differs from that of the position, or is missing', () => {
    assert.equal(single({ orderings: [] }), `SELECT "views", "id" FROM "posts" ${chain} LIMIT 11`)
    assert.equal(
      single({ orderings: [by('id', Asc)] }),
      `SELECT "views", "id" FROM "posts" ${chain} ORDER BY "id" ASC LIMIT 11`,
    )
  })

  test('if a column of the order is not selected, which a union could not order by', () => {
    assert.equal(
      single({ columns: [id] }),
      `SELECT "id" FROM "posts" ${chain} ORDER BY "views" DESC, "id" ASC LIMIT 11`,
    )
  })

  test('which in one direction is a row value on SQLite too', () => {
    const uniform = [by('createdAt', Asc), by('id', Asc)]
    assert.equal(
      page(uniform, [moment, 7], { limit: null, columns: [created] }).sqlite.sql,
      'SELECT "created_at" FROM "posts" WHERE ("created_at", "id") > (?, ?) ORDER BY "created_at" ASC, "id" ASC',
    )
  })

  test('but not if an equal order is a different object', () => {
    assert.match(single({ orderings: [...orderings] }), / UNION ALL /)
  })
})

test('decimals are compared as decimals on MariaDB in a seek as well', () => {
  const orderings = [by('price', Asc, null, Kinds), by('id', Asc, null, Kinds)]
  const { mariadb } = page(orderings, ['19.90', 7])
  const value = 'CAST(? AS DECIMAL(65, 30))'
  assert.equal(
    mariadb.sql,
    `SELECT \`price\`, \`id\` FROM \`posts\` WHERE (\`price\` > ${value} OR (\`price\` = ${value} AND \`id\` > ?)) ORDER BY \`price\` ASC, \`id\` ASC LIMIT 11`,
  )
})

test('a position without exactly one value for each column is rejected before any query', () => {
  const orderings = [by('views', Desc), by('id', Asc)]
  const refusal = { name: 'InvalidArgumentException', code: 'E_CURSOR' }
  for (const values of [[], [5], [5, 7, 9], [5, null], [undefined, 7]]) {
    assert.throws(() => page(orderings, values), refusal)
    assert.throws(() => page(orderings, values, { limit: null }), refusal)
  }
  assert.throws(() => page([], []), refusal)
})
