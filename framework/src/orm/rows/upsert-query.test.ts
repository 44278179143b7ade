import assert from 'node:assert/strict'
import { test } from 'node:test'
import { dialects } from '../../../tests/support/dialects.ts'
import { integer, key, text } from '../entity/column.ts'
import { entity } from '../entity/entity.ts'
import { upsertQuery } from './upsert-query.ts'

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
