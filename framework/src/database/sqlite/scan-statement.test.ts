import assert from 'node:assert/strict'
import { test } from 'node:test'

import { isBlank, scanStatement } from './scan-statement.ts'

test('placeholders are counted where SQLite reads them, not in texts, names and comments', () => {
  const count = (sql: string): number => scanStatement(sql).placeholders
  assert.equal(count('SELECT 1'), 0)
  assert.equal(count('SELECT ?, ? WHERE a = ? AND b IN (?,?)'), 5)
  assert.equal(count(`SELECT '?', 'it''s ?', "a?""?", \`a?\`, [a?] , ?`), 1)
  assert.equal(count('SELECT ? -- ? ?\n, ? /* ? \n ? */, ?'), 3)
  assert.equal(count('SELECT ? /* ? ?'), 1)
  assert.equal(count(`SELECT a->>'$.b?' FROM t WHERE x = ?`), 1)
})

test('other parameters are found', () => {
  const found = (sql: string): boolean => scanStatement(sql).hasOtherParameters
  for (const sql of ['SELECT ?1', 'SELECT :a', 'SELECT @a', 'SELECT $a']) assert.ok(found(sql), sql)
  for (const sql of [`SELECT ':a', "$b", a$b, é$ü`, 'SELECT ? -- :a', 'SELECT 1 AS "@a"']) {
    assert.ok(!found(sql), sql)
  }
})

test('the verb is the first word after whitespace and comments', () => {
  const verb = (sql: string): string => scanStatement(sql).verb
  assert.equal(verb('Insert INTO t VALUES (1)'), 'insert')
  assert.equal(verb('\n -- select\n /* select */ ;; UPDATE t SET a = 1'), 'update')
})

test('a star that means all columns is found', () => {
  const found = (sql: string): boolean => scanStatement(sql).hasStar
  for (const sql of [
    'SELECT * FROM t',
    'select distinct * from t',
    'SELECT a, * FROM t',
    'SELECT t.* FROM t',
    'SELECT/**/* FROM t',
    'INSERT INTO t VALUES (1) RETURNING *',
    'WITH x AS (SELECT * FROM t) SELECT a FROM x',
  ]) {
    assert.ok(found(sql), sql)
  }
  for (const sql of [
    'SELECT count(*) FROM t',
    'SELECT a * b, 2 * 3 FROM t',
    `SELECT '*', ",*" FROM t`,
    'SELECT a FROM t -- select *',
  ]) {
    assert.ok(!found(sql), sql)
  }
})

test('a text of whitespace, comments and semicolons is blank', () => {
  for (const sql of ['', ' \n;', ' -- a\n', '/* a */;', '; -- a']) assert.ok(isBlank(sql), sql)
  for (const sql of ['SELECT 1', '-- a\nx', '/* a */ ?', '\0']) assert.ok(!isBlank(sql), sql)
})
