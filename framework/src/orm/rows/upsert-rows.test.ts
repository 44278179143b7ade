import assert from 'node:assert/strict'
import { test } from 'node:test'
import { dialects } from '../../../tests/support/dialects.ts'
import { bytes, decimal, integer, key, text, timestamp } from '../entity/column.ts'
import { entity } from '../entity/entity.ts'
import { distinctRows, upsertQuery } from './upsert-rows.ts'
import { changedAssignments } from './assignments.ts'

const Words = entity('words', {
  id: key.integer(),
  word: text(),
  language: text(),
  uses: integer().optional(),
})
const tea = { id: 7, uses: 1, word: 'tea', language: 'en' }

test('an upsert updates the given columns, except the key and the columns it is by', () => {
  const { sql } = upsertQuery(Words, tea, { by: ['word', 'language'] }, dialects.postgres)
  assert.match(sql, / ON CONFLICT \("word", "language"\) DO UPDATE SET "uses" = excluded\."uses" /)
})

test('an upsert updates only the named columns, possibly none', () => {
  const some = upsertQuery(Words, tea, { by: ['id'], update: ['word'] }, dialects.sqlite)
  assert.match(some.sql, /DO UPDATE SET "word" = excluded\."word" RETURNING/)
  const none = upsertQuery(Words, tea, { by: ['id'], update: [] }, dialects.sqlite)
  assert.match(none.sql, /DO UPDATE SET "id" = "words"\."id" RETURNING/)
})

test('an upsert by, or of, a column without a value is refused', () => {
  const values = { word: 'tea', language: 'en' }
  const refusal = { name: 'InvalidArgumentException', code: 'E_INVALID_ARGUMENT', message: /uses/ }
  assert.throws(() => upsertQuery(Words, values, { by: ['uses'] }, dialects.sqlite), refusal)
  assert.throws(
    () => upsertQuery(Words, values, { by: ['word'], update: ['uses'] }, dialects.sqlite),
    refusal,
  )
})

test('an upsert by an unknown column, or by none, is refused', () => {
  // @ts-expect-error no such column
  assert.throws(() => upsertQuery(Words, tea, { by: ['wort'] }, dialects.sqlite), {
    code: 'E_COLUMN',
  })
  // @ts-expect-error at least one column
  assert.throws(() => upsertQuery(Words, tea, { by: [] }, dialects.sqlite), {
    code: 'E_INVALID_ARGUMENT',
  })
})

const Things = entity('things', {
  id: key.integer(),
  name: text().nullable(),
  price: decimal(),
  at: timestamp(),
  hash: bytes(),
})

function rowsBy(...properties: readonly string[]): (values: object) => void {
  const add = distinctRows(Things, properties)
  return (given) => {
    const assignments = changedAssignments(Things, given)
    const columns = assignments.map(({ column }) => column)
    add({ columns, values: assignments.map(({ value }) => value) })
  }
}

test('rows with equal values are the same row, however the values are written', () => {
  const same: readonly (readonly [string, unknown, unknown])[] = [
    ['price', '1.0', '1.00'],
    ['at', new Date(0), new Date(0)],
    ['hash', Uint8Array.of(1), Uint8Array.of(1)],
    ['id', 7, 7],
  ]
  for (const [property, one, other] of same) {
    const add = rowsBy(property)
    add({ [property]: one })
    assert.throws(() => add({ [property]: other }), {
      code: 'E_INVALID_ARGUMENT',
      message: new RegExp(`rows at 0 and 1 of the list have the same ${property}`),
    })
  }
})

test('rows that differ in one of the columns, or have NULL in one, are distinct', () => {
  const add = rowsBy('name', 'price')
  add({ name: 'a', price: '1.00' })
  add({ name: 'a', price: '1.01' })
  add({ name: 'b', price: '1.00' })
  add({ name: null, price: '1.00' })
  add({ name: null, price: '1.00' })
})
