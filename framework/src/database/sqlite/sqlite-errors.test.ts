import assert from 'node:assert/strict'
import { DatabaseSync } from 'node:sqlite'
import { test } from 'node:test'
import type { TestContext } from 'node:test'
import { DatabaseError } from '../database-error.ts'
import { SqliteConnection } from './sqlite-connection.ts'
import { prepareFailure, runFailure } from './sqlite-errors.ts'

const secret = 'hunter2'

const tables = [
  'CREATE TABLE users (id INTEGER PRIMARY KEY, email TEXT UNIQUE, age INTEGER NOT NULL CONSTRAINT grown CHECK (age > 17))',
  'CREATE TABLE pairs (a, b, UNIQUE (a, b))',
  'CREATE TABLE tags (name TEXT)',
  'CREATE UNIQUE INDEX tags_lower ON tags (lower(name))',
  'CREATE TABLE posts (id INTEGER PRIMARY KEY, author INTEGER NOT NULL REFERENCES users (id))',
  'CREATE TABLE exact (n INTEGER) STRICT',
  'CREATE TABLE watched (a TEXT)',
  `CREATE TRIGGER watch BEFORE INSERT ON watched BEGIN SELECT raise(abort, NEW.a); END`,
  'CREATE VIRTUAL TABLE search USING fts5 (body)',
  `INSERT INTO users VALUES (1, 'ada', 30)`,
]

/** Runs a statement that fails and returns its error, which shows no bound value. */
function failureOf(t: TestContext, sql: string, ...parameters: readonly unknown[]): DatabaseError {
  const connection = new SqliteConnection(':memory:', ['PRAGMA foreign_keys = ON', ...tables])
  t.after(() => connection.close())
  try {
    connection.run({ sql, parameters })
  } catch (error) {
    assert.ok(error instanceof DatabaseError)
    const all = [error.message, error.stack, error.constraint, error.native, error.cause]
    assert.ok(!all.map(String).join('\n').includes(secret), `${error.message} shows a value`)
    return error
  }
  return assert.fail(`${sql} worked`)
}

function brief({ code, constraint, native }: DatabaseError): readonly (string | null)[] {
  return [code, constraint, native]
}

test('a duplicate value names the columns or the index', (t) => {
  const insert = 'INSERT INTO users VALUES (?, ?, 30)'
  assert.deepEqual(brief(failureOf(t, insert, 1, secret)), [
    'E_DUPLICATE_KEY',
    'users.id',
    'SQLITE_CONSTRAINT_PRIMARYKEY',
  ])
  const twice = failureOf(t, insert, 2, 'ada')
  assert.deepEqual(brief(twice), ['E_DUPLICATE_KEY', 'users.email', 'SQLITE_CONSTRAINT_UNIQUE'])
  assert.equal(twice.message, 'a row with the same unique value already exists (users.email)')
  const tags = failureOf(t, 'INSERT INTO tags VALUES (?), (?)', secret, secret.toUpperCase())
  assert.equal(tags.constraint, 'tags_lower')
  const pair = failureOf(t, 'INSERT INTO pairs VALUES (?, 1), (?, 1)', secret, secret)
  assert.equal(pair.constraint, 'pairs.a, pairs.b')
})

test('a row that refers to nothing, or is referred to, is a foreign-key failure', (t) => {
  const failure = failureOf(t, 'INSERT INTO posts (author) VALUES (99)')
  assert.deepEqual(brief(failure), ['E_FOREIGN_KEY', null, 'SQLITE_CONSTRAINT_FOREIGNKEY'])
})

test('a missing value names its column', (t) => {
  const failure = failureOf(t, 'INSERT INTO users (email) VALUES (?)', secret)
  assert.deepEqual(brief(failure), ['E_NOT_NULL', 'users.age', 'SQLITE_CONSTRAINT_NOTNULL'])
})

test('a violated check is named; the message of a trigger is not quoted', (t) => {
  const failure = failureOf(t, 'INSERT INTO users (email, age) VALUES (?, 5)', secret)
  assert.deepEqual(brief(failure), ['E_CHECK', 'grown', 'SQLITE_CONSTRAINT_CHECK'])
  const trigger = failureOf(t, 'INSERT INTO watched VALUES (?)', secret)
  assert.deepEqual(brief(trigger), ['E_CHECK', null, 'SQLITE_CONSTRAINT_TRIGGER'])
})

test('a value of the wrong type or form is a value failure', (t) => {
  const strict = failureOf(t, 'INSERT INTO exact VALUES (?)', secret)
  assert.deepEqual(brief(strict), ['E_VALUE', null, 'SQLITE_CONSTRAINT_DATATYPE'])
  assert.match(strict.message, /cannot store TEXT value in INTEGER column exact\.n/)
  assert.equal(failureOf(t, 'INSERT INTO users (id, age) VALUES (?, 30)', secret).code, 'E_VALUE')
  assert.equal(failureOf(t, 'SELECT json(?)', secret).code, 'E_VALUE')
  assert.equal(failureOf(t, 'SELECT abs(?)', -(2n ** 63n)).message, 'integer overflow')
  assert.equal(failureOf(t, 'SELECT zeroblob(?)', 2_000_000_000).code, 'E_VALUE')
})

test('a statement that SQLite rejects is reported with its message', (t) => {
  assert.match(failureOf(t, 'SELEKT ?', secret).message, /near "SELEKT": syntax error/)
  assert.match(
    failureOf(t, 'SELECT 1 FROM nowhere WHERE a = ?', secret).message,
    /no such table: nowhere/,
  )
  assert.match(failureOf(t, 'SELECT absent FROM users').message, /no such column: absent/)
  assert.match(failureOf(t, 'ROLLBACK').message, /no transaction is active/)
  for (const sql of ['SELEKT 1', 'SELECT 1 FROM nowhere', 'ROLLBACK']) {
    assert.deepEqual(brief(failureOf(t, sql)), ['E_STATEMENT', null, 'SQLITE_ERROR'])
  }
})

const quoting: readonly [string, string][] = [
  [`SELECT json_extract('{}', ?)`, secret],
  ['SELECT 1 FROM search WHERE search MATCH ?', `${secret}:1`],
  ['ATTACH ? AS other', `/nowhere/${secret}`],
  ['INSERT INTO watched VALUES (?)', secret],
]

test('a message of SQLite that contains a bound value is left out', (t) => {
  const bare = new DatabaseSync(':memory:')
  t.after(() => bare.close())
  for (const sql of tables) bare.exec(sql)
  for (const [sql, value] of quoting) {
    const said = (error: Error): boolean => error.message.includes(secret)
    assert.throws(() => bare.prepare(sql).all(value), said, 'SQLite itself repeats it')
    failureOf(t, sql, value)
  }
})

test('writing to a read-only database says what is read-only', (t) => {
  const connection = new SqliteConnection(':memory:', [
    'CREATE TABLE t (a)',
    'PRAGMA query_only = ON',
  ])
  t.after(() => connection.close())
  assert.throws(() => connection.run({ sql: 'INSERT INTO t VALUES (1)', parameters: [] }), {
    code: 'E_DATABASE',
    native: 'SQLITE_READONLY',
    message: /read-only/,
  })
})

function sqliteError(errcode: number, message = secret): Error {
  return Object.assign(new Error(message), { errcode })
}

test('problems with the disk and the file have their own messages', () => {
  const texts: readonly [number, RegExp][] = [
    [7, /memory/],
    [10, /disk failed/],
    [266, /disk failed/],
    [11, /damaged/],
    [13, /disk is full/],
    [14, /cannot be opened/],
    [26, /not an SQLite database/],
    [99, /SQLITE \(99\)/],
  ]
  for (const [errcode, text] of texts) {
    const failure = runFailure(sqliteError(errcode))
    assert.ok(failure instanceof DatabaseError)
    assert.equal(failure.code, 'E_DATABASE')
    assert.match(failure.message, text)
    assert.ok(!failure.message.includes(secret))
  }
})

test('every kind of lock is busy, also while a statement is prepared', () => {
  for (const errcode of [5, 6, 261, 262, 517]) {
    for (const failure of [
      runFailure(sqliteError(errcode)),
      prepareFailure(sqliteError(errcode)),
    ]) {
      assert.ok(failure instanceof DatabaseError)
      assert.equal(failure.code, 'E_DATABASE_BUSY')
      assert.equal(failure.retryable, true)
    }
  }
})

test('an error of unknown origin is not repeated', () => {
  assert.equal(runFailure(new Error(secret)).message, 'SQLite could not run the statement')
})
