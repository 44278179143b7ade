import assert from 'node:assert/strict'
import { test } from 'node:test'
import { statementText } from './statement-text.ts'

for (const [sql, shown] of [
  [
    'SELECT "a1" FROM "t2" WHERE "id" = $1 AND x = ?',
    'SELECT "a1" FROM "t2" WHERE "id" = $1 AND x = ?',
  ],
  ["SELECT 'ada@example.org', 'it''s'", 'SELECT ?, ?'],
  ['SELECT 12, 1.5, 1e9, 0xff, -3', 'SELECT ?, ?, ?, ?, -?'],
  ['SELECT :1, @2', 'SELECT :1, @2'],
  ["INSERT INTO t VALUES ('a\\', 'secret')", 'INSERT INTO t VALUES (? …'],
  ["SELECT 'never ends", 'SELECT ?'],
  ['SELECT\n  a,\n  b\n', 'SELECT a, b'],
] as const) {
  test(`${JSON.stringify(sql)} is shown as ${shown}`, () => {
    assert.equal(statementText(sql), shown)
  })
}
