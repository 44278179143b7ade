import assert from 'node:assert/strict'
import { test } from 'node:test'
import { statementKind } from './statement-kind.ts'

test('the first word of a statement is its kind', () => {
  for (const [sql, kind] of [
    ['SELECT 1', 'SELECT'],
    ['select 1', 'SELECT'],
    ['Insert into a', 'INSERT'],
    ['  \n update a set b = 1', 'UPDATE'],
    ['-- why\n/* and\nhow */ DELETE FROM a', 'DELETE'],
    ['(SELECT 1) UNION (SELECT 2)', 'SELECT'],
    ['WITH a AS (SELECT 1) SELECT * FROM a', 'OTHER'],
    ['SET x = 1', 'OTHER'],
    ['BEGIN', 'OTHER'],
    ['', 'OTHER'],
    ['/* never closed', 'OTHER'],
  ] as const) {
    assert.equal(statementKind(sql), kind, sql)
  }
})
