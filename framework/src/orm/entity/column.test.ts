import assert from 'node:assert/strict'
import { test } from 'node:test'
import {
  bigint,
  boolean,
  bytes,
  date,
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
    date: date(),
    timestamp: timestamp(),
    'exact-timestamp': exactTimestamp(),
    json: json(),
    bytes: bytes(),
  }
  for (const [kind, column] of Object.entries(made)) {
    const { isKey, isNullable, isOptional, name } = column.options
    assert.deepEqual(
      [column.kind, isKey, isNullable, isOptional, name],
      [kind, false, false, false, null],
    )
  }
})

test('a column may have a name of its own in SQL', () => {
  assert.equal(text('full_title').options.name, 'full_title')
  assert.equal(decimal({ name: 'net_price' }).options.name, 'net_price')
  assert.equal(key.bigint('post_id').options.name, 'post_id')
})

test('nullable() and optional() return a new column and leave the first unchanged', () => {
  const plain = text('word')
  const nullable = plain.nullable()
  const optional = plain.optional()
  assert.deepEqual([plain.options.isNullable, plain.options.isOptional], [false, false])
  assert.deepEqual([nullable.options.isNullable, nullable.options.isOptional], [true, true])
  assert.deepEqual([optional.options.isNullable, optional.options.isOptional], [false, true])
  assert.equal(nullable.options.name, 'word')
})

test('an insert may omit a numeric key, but not a text key', () => {
  assert.equal(key.integer().options.isOptional, true)
  assert.equal(key.bigint().options.isOptional, true)
  assert.equal(key.text().options.isOptional, false)
  assert.equal(key.text().optional().options.isOptional, true)
  for (const column of Object.values(key)) assert.equal(column().options.isKey, true)
})

test('a key cannot be nullable', () => {
  assert.throws(() => key.integer().nullable(), { code: 'E_ENTITY' })
})

test('a decimal has 15 digits, 2 of them after the point, by default', () => {
  const { precision, scale } = decimal().options
  assert.deepEqual([precision, scale], [15, 2])
  const wide = decimal({ precision: 40, scale: 10 }).options
  assert.deepEqual([wide.precision, wide.scale], [40, 10])
})

test('a decimal that no database can store is rejected', () => {
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
