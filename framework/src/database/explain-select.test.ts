import assert from 'node:assert/strict'
import { test } from 'node:test'
import { connect } from './connect.ts'
import { explainSelect, isSelect } from './explain-select.ts'

test('only a single SELECT can be explained', () => {
  for (const text of ['SELECT 1', ' select 1;', '(SELECT 1)', '-- why\nSELECT 1']) {
    assert.equal(isSelect(text), true, text)
  }
  for (const text of ['', 'DELETE FROM a', 'SELECT 1; SELECT 2', 'WITH a AS (SELECT 1) SELECT 2']) {
    assert.equal(isSelect(text), false, text)
  }
})

test('the steps of a plan are indented as they are nested', async (t) => {
  const database = await connect('sqlite::memory:')
  t.after(() => database.close())
  await database.run({ sql: 'CREATE TABLE a (id INTEGER PRIMARY KEY, b TEXT)', parameters: [] })
  const text = 'SELECT id FROM a WHERE id = ? UNION ALL SELECT id FROM a WHERE b = ?'
  assert.deepEqual(await explainSelect(database, text), [
    'COMPOUND QUERY',
    '  LEFT-MOST SUBQUERY',
    '    SEARCH a USING INTEGER PRIMARY KEY (rowid=?)',
    '  UNION ALL',
    '    SCAN a',
  ])
})
