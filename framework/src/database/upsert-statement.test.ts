import assert from 'node:assert/strict'
import { test } from 'node:test'
import { dialects } from '../../tests/support/dialects.ts'
import type { Query } from './sql/plan/statement.ts'
import { sql } from './sql/plan/statement.ts'
import { insertedValues, upsertStatement } from './upsert-statement.ts'

function written(dialect: keyof typeof dialects): Query {
  const upsert = {
    table: sql.name('notes'),
    key: ['name'],
    row: { name: 'tea', uses: 3 },
    changes: { ...insertedValues(['name'], dialects[dialect]), uses: sql`uses + ${1}` },
    returning: ['uses'],
  }
  const query = upsertStatement(upsert, dialects[dialect]).compile(dialects[dialect])
  return { ...query, sql: query.sql.replaceAll(/\s+/g, ' ') }
}

test('an upsert names its key where it can, and binds in the order it is written', () => {
  assert.deepEqual(written('sqlite'), {
    sql: 'INSERT INTO "notes" ("name", "uses") VALUES (?, ?) ON CONFLICT ("name") DO UPDATE SET "name" = excluded."name", "uses" = uses + ? RETURNING "uses"',
    parameters: ['tea', 3, 1],
  })
  assert.deepEqual(written('postgres'), {
    sql: 'INSERT INTO "notes" ("name", "uses") VALUES ($1, $2) ON CONFLICT ("name") DO UPDATE SET "name" = excluded."name", "uses" = uses + $3 RETURNING "uses"',
    parameters: ['tea', 3, 1],
  })
  assert.deepEqual(written('mariadb'), {
    sql: 'INSERT INTO `notes` (`name`, `uses`) VALUES (?, ?) ON DUPLICATE KEY UPDATE `name` = VALUES(`name`), `uses` = uses + ? RETURNING `uses`',
    parameters: ['tea', 3, 1],
  })
})

test('without columns to give back nothing is returned', () => {
  const { sqlite } = dialects
  const changes = insertedValues(['uses'], sqlite)
  const row = { name: 'tea', uses: sql`1` }
  const statement = upsertStatement({ table: sql.name('a'), key: ['name'], row, changes }, sqlite)
  const { sql: text, parameters } = statement.compile(sqlite)
  assert.match(text, /VALUES \(\?, 1\)/)
  assert.doesNotMatch(text, /RETURNING/)
  assert.deepEqual(parameters, ['tea'])
})
