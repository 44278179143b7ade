import assert from 'node:assert/strict'
import { describe, test } from 'node:test'
import * as fc from 'fast-check'
import { scanStatement } from './scan-statement.ts'

describe('placeholders', () => {
  const statements: readonly (readonly [string, number])[] = [
    ['select 1', 0],
    ['select ?', 1],
    ['select ?,?, ? from t where a=? limit ?', 5],
    ["select '?', ?", 1],
    ["select 'it''s ?', ?", 1],
    [String.raw`select 'it\'s ?', ?`, 1],
    [String.raw`select '\\', ?`, 1],
    [String.raw`select '\' ?'`, 0],
    ['select "?", ?', 1],
    ['select `a?b`, `c``?`, ? from t', 1],
    ['select ? -- is it ?\n, ?', 2],
    ['select ? --\t?', 1],
    ['select 5--?', 1],
    ['select ? # and ?\n, ?', 2],
    ['select /* ? */ ? /* ? ', 1],
    ['select /*! ? , */ ?', 2],
    ['select /*M!100100 ? , */ ?', 2],
    ["select ? /* ' */ , ?", 2],
    ["select 'never closed ?", 0],
    ['select "\\', 0],
    ['-- ?', 0],
    ['--', 0],
    ['', 0],
  ]
  for (const [sql, count] of statements) {
    test(`${JSON.stringify(sql)} has ${count}`, () => {
      assert.equal(scanStatement(sql).placeholders, count)
    })
  }

  test('are not counted inside a literal, whatever it contains', () => {
    const letters = fc.constantFrom('?', "'", '\\', '"', '`', '-', '#', '/', '*', ' ', '\n')
    const quotes = fc.constantFrom("''", String.raw`\'`)
    fc.assert(
      fc.property(fc.string({ unit: letters }), quotes, (text, quote) => {
        const literal = text.replaceAll('\\', String.raw`\\`).replaceAll("'", quote)
        assert.equal(scanStatement(`select '${literal}', ?`).placeholders, 1)
      }),
      { numRuns: 100 },
    )
  })

  test('of a long statement are counted in linear time', () => {
    const quotes = `select '${'a'.repeat(2_000_000)}${"''".repeat(200_000)}`
    const startMs = performance.now()
    assert.equal(scanStatement(quotes).placeholders, 0)
    assert.ok(performance.now() - startMs < 20_000)
  })
})

describe('the kind of a statement', () => {
  for (const sql of [
    'SELECT 1',
    '  select 1',
    '(select 1) union (select 2)',
    'insert into t values (1)',
    'Update t set a = 1',
    'delete from t',
    'replace into t values (1)',
    'with x as (select 1) select * from x',
  ]) {
    test(`${JSON.stringify(sql)} is about rows`, () => {
      assert.equal(scanStatement(sql).isAboutRows, true)
    })
  }
  for (const sql of ['SAVEPOINT a', 'create table t (a int)', 'COMMIT', 'selected', '']) {
    test(`${JSON.stringify(sql)} is not`, () => {
      assert.equal(scanStatement(sql).isAboutRows, false)
    })
  }
})
