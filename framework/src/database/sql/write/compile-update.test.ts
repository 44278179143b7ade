import assert from 'node:assert/strict'
import { describe, test } from 'node:test'
import { compare, inEveryDialect, Posts } from '../../../../tests/support/sample-plans.ts'
import { compileUpdate } from './compile-update.ts'
import type { UpdatePlan } from './compile-update.ts'
import { dialects } from '../../../../tests/support/dialects.ts'
import { Operators } from '../plan/operators.ts'

const [id, title, note] = [Posts.column('id'), Posts.column('title'), Posts.column('note')]

const plan: UpdatePlan = {
  table: 'posts',
  changes: [
    { column: title, value: 'a' },
    { column: note, value: null },
  ],
  conditions: [compare('id', Operators.Equal, 7)],
  returning: [],
}

test('changes and conditions are bound in order of appearance', () => {
  assert.deepEqual(
    inEveryDialect((dialect) => compileUpdate(plan, dialect)),
    {
      sqlite: {
        sql: 'UPDATE "posts" SET "title" = ?, "note" = ? WHERE "id" = ?',
        parameters: ['a', null, 7],
        raw: true,
      },
      postgres: {
        sql: 'UPDATE "posts" SET "title" = $1, "note" = $2 WHERE "id" = $3::int8',
        parameters: ['a', null, 7],
        raw: true,
      },
      mariadb: {
        sql: 'UPDATE `posts` SET `title` = ?, `note` = ? WHERE `id` = ?',
        parameters: ['a', null, 7],
        raw: true,
      },
    },
  )
})

test('updated rows are returned by SQLite and PostgreSQL; MariaDB cannot', () => {
  const returning = { ...plan, returning: [id, title] }
  assert.match(
    compileUpdate(returning, dialects.sqlite).sql,
    / WHERE "id" = \? RETURNING "id", "title"$/,
  )
  assert.match(compileUpdate(returning, dialects.postgres).sql, / RETURNING "id", "title"$/)
  assert.throws(() => compileUpdate(returning, dialects.mariadb), {
    name: 'InvalidArgumentException',
    code: 'E_INVALID_ARGUMENT',
    message: /select them afterwards/,
  })
  assert.deepEqual(
    Object.values(dialects).map((dialect) => dialect.returnsUpdated),
    [true, true, false],
  )
})

describe('an update', () => {
  test('without conditions updates all rows', () => {
    const { sql } = compileUpdate({ ...plan, conditions: [] }, dialects.sqlite)
    assert.equal(sql, 'UPDATE "posts" SET "title" = ?, "note" = ?')
  })

  test('without changes is rejected', () => {
    assert.throws(() => compileUpdate({ ...plan, changes: [] }, dialects.sqlite), {
      code: 'E_INVALID_ARGUMENT',
    })
  })

  test('with an invalid value is rejected', () => {
    const changes = [{ column: title, value: null }]
    assert.throws(() => compileUpdate({ ...plan, changes }, dialects.sqlite), {
      code: 'E_COLUMN_VALUE',
    })
  })
})

test('an update has the text of its own parts, also after a similar one', () => {
  const [set] = plan.changes
  const views = Posts.column('views')
  const added = { ...plan, changes: [{ column: views, value: 1, adds: true }] }
  const plans: readonly (readonly [UpdatePlan, string])[] = [
    [{ ...plan, changes: [{ column: views, value: 1 }] }, '"views" = ? WHERE "id" = ?'],
    [added, '"views" = "views" + ? WHERE "id" = ?'],
    [{ ...added, conditions: [] }, '"views" = "views" + ?'],
    [{ ...added, returning: [id] }, '"views" = "views" + ? WHERE "id" = ? RETURNING "id"'],
    [
      { ...added, changes: [...added.changes, ...(set === undefined ? [] : [set])] },
      '"views" = "views" + ?, "title" = ? WHERE "id" = ?',
    ],
  ]
  for (const [one, text] of [...plans, ...plans]) {
    assert.equal(compileUpdate(one, dialects.sqlite).sql, `UPDATE "posts" SET ${text}`)
  }
})
