import assert from 'node:assert/strict'
import { test } from 'node:test'
import { shownStatement } from './shown-statement.ts'

test('a statement is shown without the values that a project wrote into it', () => {
  const cases = {
    'SELECT "id", `name` FROM "a1" WHERE "id" = $1 AND b = ?':
      'SELECT "id", `name` FROM "a1" WHERE "id" = $1 AND b = ?',
    "SELECT * FROM t WHERE mail = 'ada@a.example' AND n = 42":
      'SELECT * FROM t WHERE mail = ? AND n = ?',
    "WHERE a = 'it''s secret' AND b = 'x\\'y secret'": 'WHERE a = ? AND b = ?',
    'WHERE a = $tag$secret$tag$ AND b = 0xCAFE AND c = -1.5': 'WHERE a = ? AND b = ? AND c = -?',
    'SELECT\n  1\n\tFROM t2': 'SELECT ? FROM t2',
    "WHERE a = 'never closed secret": 'WHERE a = ?',
  }
  for (const [text, shown] of Object.entries(cases)) assert.equal(shownStatement(text), shown)
})

test('a long list is cut', () => {
  const shown = shownStatement(`SELECT * FROM t WHERE id IN (${'?, '.repeat(9_000)}?)`)
  assert.equal(shown.length, 1_001)
  assert.ok(shown.endsWith('…'))
})
