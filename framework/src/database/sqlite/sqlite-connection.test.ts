import assert from 'node:assert/strict'
import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { test } from 'node:test'
import type { TestContext } from 'node:test'

import { InvalidArgumentException } from '../../base/errors.ts'
import type { Result } from '../operation.ts'
import { SqliteConnection } from './sqlite-connection.ts'

function connection(t: TestContext, ...settings: readonly string[]): SqliteConnection {
  const opened = new SqliteConnection(':memory:', settings)
  t.after(() => opened.close())
  return opened
}

function run(on: SqliteConnection, sql: string, ...parameters: readonly unknown[]): Result {
  return on.run({ sql, parameters })
}

function raw(on: SqliteConnection, sql: string, ...parameters: readonly unknown[]): unknown {
  return on.run({ sql, parameters, raw: true }).rows
}

const table = 'CREATE TABLE t (id INTEGER PRIMARY KEY, a TEXT, n INTEGER, r REAL, b BLOB)'

test('rows are plain objects by column name', (t) => {
  const on = connection(t, table)
  run(on, 'INSERT INTO t (a, n) VALUES (?, ?)', 'x', 7)
  const { rows, affected } = run(on, 'SELECT id, a AS name, n FROM t')
  assert.deepEqual(rows, [{ id: 1, name: 'x', n: 7 }])
  assert.equal(affected, 1)
})

test('raw rows are lists of the values as SQLite has them, every integer a bigint', (t) => {
  const on = connection(t, table)
  const bytes = new Uint8Array([0, 255])
  const insert = 'INSERT INTO t (a, n, r, b) VALUES (? || char(0), ?, ?, ?)'
  run(on, insert, 'ü', 2n ** 63n - 1n, 0.1, bytes)
  assert.deepEqual(raw(on, 'SELECT id, a, n, r, b, NULL FROM t'), [
    [1n, 'ü\0', 9223372036854775807n, 0.1, bytes, null],
  ])
})

test('the same statement can alternate between raw and plain rows', (t) => {
  const on = connection(t)
  for (let round = 0; round < 2; round++) {
    assert.deepEqual(raw(on, 'SELECT 1 AS one'), [[1n]])
    assert.deepEqual(run(on, 'SELECT 1 AS one').rows, [{ one: 1 }])
  }
})

test('values are returned as they were bound', (t) => {
  const on = connection(t)
  const types = 'typeof(?), typeof(?), typeof(?), typeof(?), typeof(?), typeof(?)'
  assert.deepEqual(raw(on, `SELECT ${types}`, 1, 1.5, true, '1', new Uint8Array(0), null), [
    ['integer', 'real', 'integer', 'text', 'blob', 'null'],
  ])
})

test('a whole number in a text column keeps its format', (t) => {
  const on = connection(t, table)
  run(on, 'INSERT INTO t (a) VALUES (?)', 5)
  assert.deepEqual(run(on, 'SELECT a FROM t WHERE a = ?', 5).rows, [{ a: '5' }])
})

test('without raw, an integer past 2^53 is an error, never a wrong digit', (t) => {
  const on = connection(t, table)
  run(on, 'INSERT INTO t (n) VALUES (?)', 2n ** 53n)
  const read = (): unknown => run(on, 'SELECT n FROM t')
  assert.throws(read, { code: 'E_INTEGER_RANGE' })
  assert.throws(read, (error: Error) => !error.message.includes('9007199254740992'))
})

test('changed rows are counted, and no other statement repeats the count', (t) => {
  const on = connection(t, table)
  assert.equal(run(on, 'INSERT INTO t (a) VALUES (?), (?)', 'x', 'y').affected, 2)
  assert.equal(run(on, 'UPDATE t SET n = 1').affected, 2)
  assert.equal(run(on, 'CREATE INDEX i ON t (a)').affected, 0)
  assert.equal(run(on, 'WITH w AS (SELECT 1) DELETE FROM t WHERE id IN w').affected, 1)
  assert.equal(run(on, 'PRAGMA foreign_keys = ON').affected, 0)
  const returning = run(on, 'REPLACE INTO t (id, a) VALUES (2, ?), (3, ?) RETURNING id', 'p', 'q')
  assert.deepEqual(returning, { rows: [{ id: 2 }, { id: 3 }], affected: 2 })
  assert.deepEqual(on.run({ sql: 'DELETE FROM t', parameters: [], raw: true }), {
    rows: [],
    affected: 2,
  })
})

test('a wrong number of values is rejected', (t) => {
  const on = connection(t)
  const refused = (sql: string, ...parameters: readonly unknown[]): void => {
    assert.throws(() => run(on, sql, ...parameters), InvalidArgumentException)
  }
  refused('SELECT ?, ?', 1)
  refused('SELECT ?', 1, 2)
  refused('SELECT 1', 1)
  assert.throws(() => run(on, 'SELECT ?, ?', 1), /has 2 parameters, got 1 values/)
})

test('parameters by name or number are refused', (t) => {
  const on = connection(t)
  assert.throws(() => run(on, 'SELECT :a'), /as \?/)
  assert.throws(() => run(on, 'SELECT ?1, ?1', 1), InvalidArgumentException)
})

test('a second statement in the same text is rejected, not ignored', (t) => {
  const on = connection(t)
  assert.throws(() => run(on, 'CREATE TABLE a (x); CREATE TABLE b (x)'), { code: 'E_STATEMENT' })
  assert.throws(() => run(on, 'SELECT 1\0; DROP TABLE a'), { code: 'E_STATEMENT' })
  assert.throws(() => run(on, 'SELECT 1 FROM a'), /no such table/)
  assert.deepEqual(run(on, 'SELECT 1 AS "ü" ; -- done\n').rows, [{ ü: 1 }])
})

test('a text without a statement is an error', (t) => {
  const on = connection(t)
  assert.throws(() => run(on, ''), { code: 'E_STATEMENT', message: 'the statement is empty' })
  assert.throws(() => run(on, '-- nothing'), { code: 'E_STATEMENT' })
})

test('a text in double quotes is a name, never a value', (t) => {
  const on = connection(t)
  assert.throws(() => run(on, 'SELECT "a"'), { code: 'E_STATEMENT' })
})

test('columns added to or dropped from a table are noticed immediately', (t) => {
  const on = connection(t, 'CREATE TABLE t (a, b)', 'INSERT INTO t VALUES (1, 2)')
  const star = (): unknown => run(on, 'SELECT * FROM t').rows
  assert.deepEqual(star(), [{ a: 1, b: 2 }])
  run(on, 'ALTER TABLE t ADD COLUMN c DEFAULT 3')
  assert.deepEqual(star(), [{ a: 1, b: 2, c: 3 }])
  run(on, 'ALTER TABLE t RENAME COLUMN a TO z')
  assert.deepEqual(star(), [{ z: 1, b: 2, c: 3 }])
  run(on, 'ALTER TABLE t DROP COLUMN b')
  assert.deepEqual(star(), [{ z: 1, c: 3 }])
})

test('a column recreated with another type returns its values', (t) => {
  const on = connection(t, 'CREATE TABLE t (a INTEGER) STRICT')
  const insert = (value: unknown): Result => run(on, 'INSERT INTO t VALUES (?) RETURNING a', value)
  assert.deepEqual(insert(7).rows, [{ a: 7 }])
  assert.deepEqual(run(on, 'SELECT a FROM t').rows, [{ a: 7 }])
  run(on, 'DROP TABLE t')
  run(on, 'CREATE TABLE t (a TEXT) STRICT')
  assert.deepEqual(insert('seven').rows, [{ a: 'seven' }])
  assert.deepEqual(run(on, 'SELECT a FROM t').rows, [{ a: 'seven' }])
  assert.deepEqual(raw(on, 'SELECT a FROM t'), [['seven']])
})

test('a statement whose table or column was dropped says which', (t) => {
  const on = connection(t, 'CREATE TABLE t (a, b)')
  const select = (): unknown => run(on, 'SELECT a FROM t WHERE b = ?', 'secret')
  select()
  run(on, 'ALTER TABLE t DROP COLUMN a')
  assert.throws(select, { code: 'E_STATEMENT' })
  assert.throws(select, /no such column: a/)
})

test('a lock of another connection is an error immediately', (t) => {
  const folder = mkdtempSync(join(tmpdir(), 'sqlite-connection-'))
  const file = join(folder, 'a.db')
  const one = new SqliteConnection(file, ['CREATE TABLE t (a)'])
  const two = new SqliteConnection(file, [])
  t.after(() => {
    one.close()
    two.close()
    rmSync(folder, { recursive: true })
  })
  run(one, 'BEGIN IMMEDIATE')
  assert.equal(one.isInTransaction, true)
  const startMs = performance.now()
  assert.throws(() => run(two, 'INSERT INTO t VALUES (1)'), { code: 'E_DATABASE_BUSY' })
  assert.ok(performance.now() - startMs < 1_000)
  run(one, 'ROLLBACK')
  assert.equal(one.isInTransaction, false)
  run(two, 'INSERT INTO t VALUES (1)')
})

test('a setting that fails leaves no open connection behind', () => {
  assert.throws(() => new SqliteConnection(':memory:', ['PRAGMA nonsense(']), {
    code: 'E_STATEMENT',
  })
})
