import assert from 'node:assert/strict'
import { DatabaseSync } from 'node:sqlite'
import { test } from 'node:test'
import * as fc from 'fast-check'
import { dialects } from '../../../../tests/support/dialects.ts'
import { Texts } from './notation.ts'

test('an identifier is quoted as its database does, and a quote in it is doubled', () => {
  assert.equal(dialects.sqlite.quote('a"b`c'), '"a""b`c"')
  assert.equal(dialects.postgres.quote('a"b`c'), '"a""b`c"')
  assert.equal(dialects.mariadb.quote('a"b`c'), '`a"b``c`')
})

test('texts are found by their parts, of which any number may come', () => {
  const texts = new Texts()
  const kept = {}
  texts.with(kept).with('a').text = 'of a'
  assert.equal(texts.with(kept).with('a').text, 'of a')
  assert.equal(texts.with(kept).with('b').text, null)
  assert.equal(texts.with('a').text, null)
  for (let part = 0; part < 1_000; part += 1) texts.with(part).text = String(part)
  assert.equal(texts.with(kept).with('a').text, null, 'all of them were kept')
  assert.equal(texts.with(999).text, '999')
})

test('placeholders are numbered on PostgreSQL, and ? elsewhere', () => {
  assert.equal(dialects.sqlite.placeholder(3), '?')
  assert.equal(dialects.postgres.placeholder(3), '$3')
  assert.equal(dialects.mariadb.placeholder(3), '?')
})

test('an empty identifier and one with NUL are refused', () => {
  for (const { quote } of Object.values(dialects)) {
    for (const identifier of ['', 'a\0b']) {
      assert.throws(() => quote(identifier), {
        name: 'InvalidArgumentException',
        code: 'E_IDENTIFIER',
      })
    }
  }
})

test('whatever an identifier contains, SQLite returns it as the name of a column', (t) => {
  const database = new DatabaseSync(':memory:')
  t.after(() => database.close())
  const unit = fc.constantFrom('"', "'", '`', ';', '-', ' ', '\\', '[', ']', '?', '$1', 'é', 'x')
  fc.assert(
    fc.property(fc.string({ unit, minLength: 1, maxLength: 12 }), (name) => {
      const row = database.prepare(`SELECT 1 AS ${dialects.sqlite.quote(name)}`).get() ?? {}
      assert.deepEqual(Object.keys(row), [name])
    }),
    { numRuns: 100 },
  )
})
