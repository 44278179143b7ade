import assert from 'node:assert/strict'
import { describe, test } from 'node:test'
import {
  by,
  compare,
  inEveryDialect,
  planOf,
  Posts,
  textsOf,
} from '../../../../tests/support/sample-plans.ts'
import { dialects } from '../../../../tests/support/dialects.ts'
import type { Dialects } from '../dialects/dialect.ts'
import { Nulls, Operators, Orders } from '../plan/operators.ts'
import type { SelectPlan } from '../plan/select-plan.ts'
import { compileCount, compileDeferred, compileSelect } from './compile-select.ts'

const { Asc, Desc } = Orders

function behindTable(parts: Partial<SelectPlan>): Record<Dialects, string> {
  const texts = textsOf((dialect) => compileSelect(planOf(Posts, parts), dialect), 'posts')
  return {
    sqlite: texts.sqlite.slice(1),
    postgres: texts.postgres.slice(1),
    mariadb: texts.mariadb.slice(1),
  }
}

test('a page has bound values and its limit in the text, and its rows are raw', () => {
  const plan = planOf(Posts, {
    conditions: [compare('title', Operators.Equal, 'x')],
    orderings: [by('createdAt', Desc), by('id', Asc)],
    limit: 10,
    offset: 20,
  })
  assert.deepEqual(
    inEveryDialect((dialect) => compileSelect(plan, dialect)),
    {
      sqlite: {
        sql: 'SELECT "id", "title", "views", "is_open", "created_at", "note" FROM "posts" WHERE "title" = ? ORDER BY "created_at" DESC, "id" ASC LIMIT 10 OFFSET ?',
        parameters: ['x', 20],
        raw: true,
      },
      postgres: {
        sql: 'SELECT "id", "title", "views", "is_open", "created_at", "note" FROM "posts" WHERE "title" = $1 ORDER BY "created_at" DESC, "id" ASC LIMIT 10 OFFSET $2',
        parameters: ['x', 20],
        raw: true,
      },
      mariadb: {
        sql: 'SELECT `id`, `title`, `views`, `is_open`, `created_at`, `note` FROM `posts` WHERE `title` = ? ORDER BY `created_at` DESC, `id` ASC LIMIT 10 OFFSET ?',
        parameters: ['x', 20],
        raw: true,
      },
    },
  )
})

test('without conditions, order and limit there are no such clauses', () => {
  assert.deepEqual(behindTable({}), { sqlite: '', postgres: '', mariadb: '' })
})

test('the same columns of another table are selected from that table', () => {
  for (const table of ['posts', 'drafts']) {
    const { sqlite } = inEveryDialect((dialect) =>
      compileSelect({ ...planOf(Posts), table }, dialect),
    )
    assert.equal(sqlite.sql.slice(sqlite.sql.indexOf('FROM')), `FROM "${table}"`)
  }
})

describe('limit and offset', () => {
  test('are omitted if they have no effect', () => {
    assert.equal(behindTable({ limit: 0 }).postgres, ' LIMIT 0')
    assert.equal(behindTable({ limit: 5, offset: 0 }).mariadb, ' LIMIT 5')
  })

  test('an offset alone has the syntax of each database', () => {
    assert.deepEqual(behindTable({ offset: 5 }), {
      sqlite: ' LIMIT -1 OFFSET ?',
      postgres: ' OFFSET $1',
      mariadb: ' LIMIT 18446744073709551615 OFFSET ?',
    })
  })

  test('that are not whole numbers are rejected, because the limit becomes text', () => {
    const forged: unknown[] = JSON.parse('["1; DROP TABLE posts", -1, 1.5, null, 9007199254740993]')
    for (const rows of forged.filter((value) => typeof value === 'number')) {
      const refusal = { name: 'InvalidArgumentException', code: 'E_INVALID_ARGUMENT' }
      assert.throws(() => behindTable({ limit: rows }), refusal)
      assert.throws(() => behindTable({ limit: 1, offset: rows }), refusal)
    }
    const [text] = JSON.parse('["1; DROP TABLE posts"]')
    assert.throws(() => behindTable({ limit: text }), { code: 'E_INVALID_ARGUMENT' })
    assert.throws(() => behindTable({ limit: 1, offset: text }), { code: 'E_INVALID_ARGUMENT' })
  })
})

describe('the position of NULL in an order', () => {
  const order = (direction: Orders, nulls: Nulls): Record<Dialects, string> =>
    behindTable({ orderings: [by('note', direction, nulls)] })

  test('is written by SQLite and PostgreSQL and emulated on MariaDB', () => {
    assert.deepEqual(order(Asc, Nulls.Last), {
      sqlite: ' ORDER BY "note" ASC NULLS LAST',
      postgres: ' ORDER BY "note" ASC NULLS LAST',
      mariadb: ' ORDER BY `note` IS NULL ASC, `note` ASC',
    })
    assert.deepEqual(order(Desc, Nulls.First), {
      sqlite: ' ORDER BY "note" DESC NULLS FIRST',
      postgres: ' ORDER BY "note" DESC NULLS FIRST',
      mariadb: ' ORDER BY `note` IS NULL DESC, `note` DESC',
    })
  })

  test('is not emulated where it is the default of MariaDB', () => {
    assert.equal(order(Asc, Nulls.First).mariadb, ' ORDER BY `note` ASC')
    assert.equal(order(Desc, Nulls.Last).mariadb, ' ORDER BY `note` DESC')
  })
})

test('a forged direction becomes one of the two', () => {
  const forged = JSON.parse('{"order":"ASC; DROP TABLE posts"}').order
  assert.equal(behindTable({ orderings: [by('views', forged)] }).sqlite, ' ORDER BY "views" ASC')
})

test('a lock is at the end, and omitted on SQLite', () => {
  assert.deepEqual(behindTable({ limit: 1, lock: 'update' }), {
    sqlite: ' LIMIT 1',
    postgres: ' LIMIT 1 FOR UPDATE',
    mariadb: ' LIMIT 1 FOR UPDATE',
  })
  assert.deepEqual(behindTable({ lock: 'share' }), {
    sqlite: '',
    postgres: ' FOR SHARE',
    mariadb: ' LOCK IN SHARE MODE',
  })
})

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

test('a plan with a seek or a lock is compiled by compileSelect', () => {
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
