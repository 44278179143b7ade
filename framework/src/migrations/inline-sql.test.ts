import assert from 'node:assert/strict'
import { test } from 'node:test'
import { InvalidArgumentException } from '../base/errors.ts'
import { mariadb } from '../database/sql/dialects/mariadb.ts'
import { postgres } from '../database/sql/dialects/postgres.ts'
import { sql } from '../database/sql/plan/statement.ts'
import { inlineSql } from './inline-sql.ts'

test('values become literals of the database, names are quoted, and parts may be nested', () => {
  const part = sql`${sql.name('order')} = ${"it's \\"}`
  const statement = sql`${part} AND n IN (${sql.list([1, 2n])}) AND open = ${true}`
  assert.equal(
    inlineSql(statement, postgres),
    `"order" = E'it''s \\\\' AND n IN (1, 2) AND open = TRUE`,
  )
  assert.equal(inlineSql(statement, mariadb), "`order` = 'it''s \\\\' AND n IN (1, 2) AND open = 1")
})

test('a value that has no literal is refused', () => {
  assert.throws(() => inlineSql(sql`a = ${'\0'}`, postgres), InvalidArgumentException)
  assert.throws(() => inlineSql(sql`a = ${{ b: 1 }}`, postgres), InvalidArgumentException)
})
