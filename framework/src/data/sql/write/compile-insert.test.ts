import assert from 'node:assert/strict'
import { describe, test } from 'node:test'
import { inEveryDialect, Posts, textsOf } from '../../../../tests/support/sample-plans.ts'
import { compileInsert } from './compile-insert.ts'
import type { InsertPlan } from './compile-insert.ts'
import type { Dialects } from '../dialects/dialect.ts'

const [id, title, views] = [Posts.column('id'), Posts.column('title'), Posts.column('views')]

function insert(parts: Partial<InsertPlan>): InsertPlan {
  const plain = { table: 'posts', columns: [title, views], rows: [['a', 1]] }
  return { ...plain, conflict: null, returning: [], ...parts }
}

function behindRows(parts: Partial<InsertPlan>): Record<Dialects, string> {
  return textsOf((dialect) => compileInsert(insert(parts), dialect), ' VALUES ')
}

test('rows are bound value by value, and what is asked for comes back raw', () => {
  const plan = insert({
    rows: [
      ['a', 1],
      ["b'", 2],
    ],
    returning: [id, title],
  })
  assert.deepEqual(
    inEveryDialect((dialect) => compileInsert(plan, dialect)),
    {
      sqlite: {
        sql: 'INSERT INTO "posts" ("title", "views") VALUES (?, ?), (?, ?) RETURNING "id", "title"',
        parameters: ['a', 1, "b'", 2],
        raw: true,
      },
      postgres: {
        sql: 'INSERT INTO "posts" ("title", "views") VALUES ($1, $2), ($3, $4) RETURNING "id", "title"',
        parameters: ['a', 1, "b'", 2],
        raw: true,
      },
      mariadb: {
        sql: 'INSERT INTO `posts` (`title`, `views`) VALUES (?, ?), (?, ?) RETURNING `id`, `title`',
        parameters: ['a', 1, "b'", 2],
        raw: true,
      },
    },
  )
})

test('values become what the database stores', () => {
  const createdAt = Posts.column('createdAt')
  const plan = insert({ columns: [createdAt], rows: [[new Date(0)]] })
  const { postgres } = inEveryDialect((dialect) => compileInsert(plan, dialect))
  assert.deepEqual(postgres.parameters, ['1970-01-01 00:00:00.000000'])
})

test('a row of defaults alone is said as each database can', () => {
  const texts = textsOf((dialect) => compileInsert(insert({ columns: [], rows: [[]] }), dialect))
  assert.deepEqual(texts, {
    sqlite: 'INSERT INTO "posts" DEFAULT VALUES',
    postgres: 'INSERT INTO "posts" DEFAULT VALUES',
    mariadb: 'INSERT INTO `posts` () VALUES ()',
  })
})

describe('an upsert', () => {
  test('gives the named columns of the row that exists their new values', () => {
    assert.deepEqual(behindRows({ conflict: { columns: [id, title], update: [title, views] } }), {
      sqlite:
        '(?, ?) ON CONFLICT ("id", "title") DO UPDATE SET "title" = excluded."title", "views" = excluded."views"',
      postgres:
        '($1, $2) ON CONFLICT ("id", "title") DO UPDATE SET "title" = excluded."title", "views" = excluded."views"',
      mariadb:
        '(?, ?) ON DUPLICATE KEY UPDATE `title` = VALUES(`title`), `views` = VALUES(`views`)',
    })
  })

  test('that changes nothing does nothing', () => {
    assert.deepEqual(behindRows({ conflict: { columns: [title], update: [] } }), {
      sqlite: '(?, ?) ON CONFLICT ("title") DO NOTHING',
      postgres: '($1, $2) ON CONFLICT ("title") DO NOTHING',
      mariadb: '(?, ?) ON DUPLICATE KEY UPDATE `title` = `title`',
    })
  })

  test('that changes nothing keeps a column as it is to be able to return the row', () => {
    assert.deepEqual(behindRows({ conflict: { columns: [title], update: [] }, returning: [id] }), {
      sqlite: '(?, ?) ON CONFLICT ("title") DO UPDATE SET "title" = "posts"."title" RETURNING "id"',
      postgres:
        '($1, $2) ON CONFLICT ("title") DO UPDATE SET "title" = "posts"."title" RETURNING "id"',
      mariadb: '(?, ?) ON DUPLICATE KEY UPDATE `title` = `title` RETURNING `id`',
    })
  })
})

describe('an insert is refused before any query', () => {
  const refused = { name: 'InvalidArgumentException', code: 'E_INVALID_ARGUMENT' }
  const compile = (parts: Partial<InsertPlan>) => () => behindRows(parts)

  test('without rows, with rows that lack a value or have one too many', () => {
    assert.throws(compile({ rows: [] }), refused)
    assert.throws(compile({ rows: [['a', 1], ['b']] }), refused)
    assert.throws(compile({ rows: [['a', 1, 2]] }), refused)
    assert.throws(compile({ columns: [], rows: [[], []] }), refused)
  })

  test('with a value that its column cannot take, undefined included', () => {
    assert.throws(compile({ rows: [['a', 'b']] }), { code: 'E_COLUMN_VALUE' })
    assert.throws(compile({ rows: [['a', undefined]] }), { code: 'E_COLUMN_VALUE' })
  })

  test('when an upsert does not say which row is meant', () => {
    assert.throws(compile({ conflict: { columns: [], update: [title] } }), refused)
  })
})
