import assert from 'node:assert/strict'
import { test } from 'node:test'
import { plannableStatement, shownStatement } from './shown-statement.ts'

const cases: Readonly<Record<string, string>> = {
  'SELECT "id" FROM "a1" WHERE "2fa" = $1 AND b = ? AND c = :1 AND d = @2':
    'SELECT "id" FROM "a1" WHERE "2fa" = $1 AND b = ? AND c = :1 AND d = @2',
  'SELECT `id` FROM `a 1`': 'SELECT `id` FROM `a 1`',
  "SELECT * FROM t WHERE mail = 'ada@a.example' AND n = 42":
    'SELECT * FROM t WHERE mail = ? AND n = ?',
  "SELECT 'it''s', 'ada'": 'SELECT ?, ?',
  'SELECT 12, 1.5, 1e9, 0xff, -3': 'SELECT ?, ?, ?, ?, -?',
  'WHERE a = $tag$secret$tag$ AND b = 0xCAFE AND c = -1.5': 'WHERE a = ? AND b = ? AND c = -?',
  'SELECT\n  a,\n  1\n\tFROM t2\n': 'SELECT a, ? FROM t2',
  "SELECT 'never ends, secret": 'SELECT ?',
  'SELECT $$never ends, secret': 'SELECT ?',
  // Either text may be the secret.
  "INSERT INTO t VALUES ('a\\', 'secret')": 'INSERT INTO t VALUES (? …',
  "INSERT INTO t VALUES ('a\\' secret', 'b')": 'INSERT INTO t VALUES (? …',
  'SELECT "a" FROM "t" WHERE b = "x\\" secret"': 'SELECT "a" FROM "t" WHERE b = ? …',
  'SELECT "a" FROM "t" WHERE "a" LIKE ? ESCAPE \'\\\' AND b = 1':
    'SELECT "a" FROM "t" WHERE "a" LIKE ? ESCAPE ? AND b = ?',
  "SELECT a -- isn't it\n FROM t WHERE b = 'secret'": 'SELECT a FROM t WHERE b = ?',
  "SELECT a /* isn't it */ FROM t WHERE b = 'secret'": 'SELECT a FROM t WHERE b = ?',
  "SELECT `it's` FROM t WHERE b = 'secret'": "SELECT `it's` FROM t WHERE b = ?",
  'UPDATE t SET token=$1 WHERE password=?': 'UPDATE t SET token=$1 WHERE password=?',
}

for (const [sql, shown] of Object.entries(cases)) {
  test(`${JSON.stringify(sql)} is shown as ${shown}`, () => {
    assert.equal(shownStatement(sql), shown)
  })
}

test('double quotes are around names, or around texts if names are in backticks', () => {
  assert.equal(
    shownStatement('SELECT `a` FROM t WHERE b = "secret"'),
    'SELECT `a` FROM t WHERE b = ?',
  )
  assert.equal(
    shownStatement('SELECT a FROM t WHERE b = "a secret"'),
    'SELECT a FROM t WHERE b = ?',
  )
  assert.equal(shownStatement('SELECT "a" FROM t'), 'SELECT "a" FROM t')
})

test('a long list is cut', () => {
  const shown = shownStatement(`SELECT * FROM t WHERE id IN (${'?, '.repeat(9_000)}?)`)
  assert.equal(shown.length, 1_001)
  assert.ok(shown.endsWith('…'))
})

test('a statement that can be planned has its numbers and other texts', () => {
  const sql = "SELECT a FROM t WHERE b = 'secret' AND c = $1 LIMIT 10"
  assert.equal(plannableStatement(sql), "SELECT a FROM t WHERE b = '?' AND c = $1 LIMIT 10")
})
