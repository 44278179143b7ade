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

test('rows are bound value by value, and returned raw', () => {
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

test('a row of defaults has the syntax of each database', () => {
  const texts = textsOf((dialect) => compileInsert(insert({ columns: [], rows: [[]] }), dialect))
  assert.deepEqual(texts, {
    sqlite: 'INSERT INTO "posts" DEFAULT VALUES',
    postgres: 'INSERT INTO "posts" DEFAULT VALUES',
    mariadb: 'INSERT INTO `posts` () VALUES ()',
  })
})

describe('an upsert', () => {
  test('updates the named columns of an existing row', () => {
    assert.deepEqual(behindRows({ conflict: { columns: [id, title], update: [title, views] } }), {
      sqlite:
        '(?, ?) ON CONFLICT ("id", "title") DO UPDATE SET "title" = excluded."title", "views" = excluded."views"',
      postgres:
        '($1, $2) ON CONFLICT ("id", "title") DO UPDATE SET "title" = excluded."title", "views" = excluded."views"',
      mariadb:
        '(?, ?) ON DUPLICATE KEY UPDATE `title` = VALUES(`title`), `views` = VALUES(`views`)',
    })
  })

  test('counts a column of the existing row, named with its table', () => {
    const conflict = { columns: [title], update: [title], count: [views] }
    assert.deepEqual(behindRows({ conflict }), {
      sqlite:
        '(?, ?) ON CONFLICT ("title") DO UPDATE SET "title" = excluded."title", "views" = "posts"."views" + 1',
      postgres:
        '($1, $2) ON CONFLICT ("title") DO UPDATE SET "title" = excluded."title", "views" = "posts"."views" + 1',
      mariadb:
        '(?, ?) ON DUPLICATE KEY UPDATE `title` = VALUES(`title`), `views` = `posts`.`views` + 1',
    })
  })

  test('without updates does nothing', () => {
    assert.deepEqual(behindRows({ conflict: { columns: [title], update: [] } }), {
      sqlite: '(?, ?) ON CONFLICT ("title") DO NOTHING',
      postgres: '($1, $2) ON CONFLICT ("title") DO NOTHING',
      mariadb: '(?, ?) ON DUPLICATE KEY UPDATE `title` = `title`',
    })
  })

  test('without updates assigns a column to itself to be able to return the row', () => {
    assert.deepEqual(behindRows({ conflict: { columns: [title], update: [] }, returning: [id] }), {
      sqlite: '(?, ?) ON CONFLICT ("title") DO UPDATE SET "title" = "posts"."title" RETURNING "id"',
      postgres:
        '($1, $2) ON CONFLICT ("title") DO UPDATE SET "title" = "posts"."title" RETURNING "id"',
      mariadb: '(?, ?) ON DUPLICATE KEY UPDATE `title` = `title` RETURNING `id`',
    })
  })
})

describe('an insert is rejected before any query', () => {
  const refused = { name: 'InvalidArgumentException', code: 'E_INVALID_ARGUMENT' }
  const compile = (parts: Partial<InsertPlan>) => () => behindRows(parts)

  test('without rows, or with rows of the wrong length', () => {
    assert.throws(compile({ rows: [] }), refused)
    assert.throws(compile({ rows: [['a', 1], ['b']] }), refused)
    assert.throws(compile({ rows: [['a', 1, 2]] }), refused)
    assert.throws(compile({ columns: [], rows: [[], []] }), refused)
  })

  test('with an invalid value, including undefined', () => {
    assert.throws(compile({ rows: [['a', 'b']] }), { code: 'E_COLUMN_VALUE' })
    assert.throws(compile({ rows: [['a', undefined]] }), { code: 'E_COLUMN_VALUE' })
  })

  test('if an upsert has no columns to identify a row', () => {
    assert.throws(compile({ conflict: { columns: [], update: [title] } }), refused)
  })
})

test('an insert of one row has the text of its own parts, also after a similar one', () => {
  const conflict = { columns: [title], update: [views] }
  const plans: readonly (readonly [Partial<InsertPlan>, string])[] = [
    [{}, '(?, ?)'],
    [{ returning: [id] }, '(?, ?) RETURNING "id"'],
    [{ conflict }, '(?, ?) ON CONFLICT ("title") DO UPDATE SET "views" = excluded."views"'],
    [
      { conflict: { columns: [title, views], update: [] } },
      '(?, ?) ON CONFLICT ("title", "views") DO NOTHING',
    ],
    [
      { conflict: { ...conflict, count: [id] } },
      '(?, ?) ON CONFLICT ("title") DO UPDATE SET "views" = excluded."views", "id" = "posts"."id" + 1',
    ],
    [
      {
        rows: [
          ['a', 1],
          ['b', 2],
        ],
      },
      '(?, ?), (?, ?)',
    ],
  ]
  for (const [parts, text] of [...plans, ...plans]) assert.equal(behindRows(parts).sqlite, text)
  assert.throws(() => behindRows({ rows: [] }), { code: 'E_INVALID_ARGUMENT' })
})
