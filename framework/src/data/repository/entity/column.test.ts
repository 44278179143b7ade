import assert from 'node:assert/strict'
import { test } from 'node:test'
import {
  bigint,
  boolean,
  bytes,
  decimal,
  exactTimestamp,
  float,
  integer,
  json,
  key,
  text,
  timestamp,
} from './column.ts'

test('each column function makes a column of its kind that is neither key, nullable nor optional', () => {
  const made = {
    integer: integer(),
    bigint: bigint(),
    decimal: decimal(),
    float: float(),
    boolean: boolean(),
    text: text(),
    timestamp: timestamp(),
    'exact-timestamp': exactTimestamp(),
    json: json(),
    bytes: bytes(),
  }
  for (const [kind, column] of Object.entries(made)) {
    const { isKey, isNullable, isOptional, name } = column.facts
    assert.deepEqual(
      [column.kind, isKey, isNullable, isOptional, name],
      [kind, false, false, false, null],
    )
  }
})

test('a column may have a name of its own in SQL', () => {
  assert.equal(text('full_title').facts.name, 'full_title')
  assert.equal(decimal({ name: 'net_price' }).facts.name, 'net_price')
  assert.equal(key.bigint('post_id').facts.name, 'post_id')
})

test('nullable() and optional() give a column of their own and leave the first as it is', () => {
  const plain = text('word')
  const nullable = plain.nullable()
  const optional = plain.optional()
  assert.deepEqual([plain.facts.isNullable, plain.facts.isOptional], [false, false])
  assert.deepEqual([nullable.facts.isNullable, nullable.facts.isOptional], [true, true])
  assert.deepEqual([optional.facts.isNullable, optional.facts.isOptional], [false, true])
  assert.equal(nullable.facts.name, 'word')
})

test('an insert may leave out a key of whole numbers, not a key of text', () => {
  assert.equal(key.integer().facts.isOptional, true)
  assert.equal(key.bigint().facts.isOptional, true)
  assert.equal(key.text().facts.isOptional, false)
  assert.equal(key.text().optional().facts.isOptional, true)
  for (const column of Object.values(key)) assert.equal(column().facts.isKey, true)
})

test('a key cannot be nullable', () => {
  assert.throws(() => key.integer().nullable(), { code: 'E_ENTITY' })
})

test('a decimal has 15 digits, 2 of them after the point, unless it says otherwise', () => {
  const { precision, scale } = decimal().facts
  assert.deepEqual([precision, scale], [15, 2])
  const wide = decimal({ precision: 40, scale: 10 }).facts
  assert.deepEqual([wide.precision, wide.scale], [40, 10])
})

test('a decimal that no database can keep is refused', () => {
  const impossible = [
    { precision: 0 },
    { precision: 66 },
    { precision: 4, scale: 5 },
    { precision: 40, scale: 31 },
    { scale: -1 },
    { precision: 7.5 },
    { scale: Number.NaN },
  ]
  for (const digits of impossible) {
    assert.throws(() => decimal(digits), { name: 'InvalidArgumentException', code: 'E_ENTITY' })
  }
})
