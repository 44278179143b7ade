import assert from 'node:assert/strict'
import { test } from 'node:test'
import { InvalidArgumentException } from '../../../../base/errors.ts'
import { foreignKeyColumn, nameOf, parseTable, splitReference } from './sqlite-table-text.ts'

const text = `CREATE TABLE "odd, (table" (
  id INTEGER PRIMARY KEY, -- the key, of course
  "a, b" TEXT DEFAULT 'x, (y' /* ) */ CHECK ("a, b" IN ('1', '2')),
  [other] INT CONSTRAINT far REFERENCES users (id) ON DELETE SET NULL ON UPDATE CASCADE NOT DEFERRABLE INITIALLY IMMEDIATE NOT NULL,
  CONSTRAINT "pair" FOREIGN KEY (\`other\`) REFERENCES "users" ("id"),
  UNIQUE (id, other)
) WITHOUT ROWID, STRICT`

test('a CREATE TABLE is divided at the commas of its columns and constraints', () => {
  const { parts, ending } = parseTable('odd', text)
  assert.deepEqual(
    parts.map(({ column }) => column),
    ['id', 'a, b', 'other', null, null],
  )
  assert.equal(ending, ' WITHOUT ROWID, STRICT')
  assert.deepEqual(parts.map(foreignKeyColumn), [null, null, null, 'other', null])
})

test('a reference within a column ends where the next clause begins', () => {
  const tokens = parseTable('odd', text).parts[2]?.tokens ?? []
  assert.deepEqual(splitReference(tokens).rest, ['[other]', 'INT', 'NOT', 'NULL'])
  const plain = parseTable('t', 'CREATE TABLE t (a INT REFERENCES b NOT NULL)').parts[0]?.tokens
  assert.deepEqual(splitReference(plain ?? []).reference, ['REFERENCES', 'b'])
  const check = ['a', 'INT', 'CHECK', '(', 'REFERENCES', ')']
  assert.deepEqual(splitReference(check), { reference: [], rest: check })
})

test('names lose their quotes, whichever they have', () => {
  assert.deepEqual(['"a""b"', '`a``b`', '[a b]', "'it''s'", 'plain'].map(nameOf), [
    'a"b',
    'a`b',
    'a b',
    "it's",
    'plain',
  ])
})

test('a virtual table is refused with a sentence', () => {
  assert.throws(
    () => parseTable('found', 'CREATE VIRTUAL TABLE found USING fts5(body)'),
    InvalidArgumentException,
  )
})
