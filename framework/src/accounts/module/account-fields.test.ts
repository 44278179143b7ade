import assert from 'node:assert/strict'
import { test } from 'node:test'
import * as v from 'valibot'
import { z } from 'zod'
import { ConfigurationError } from '../../base/errors.ts'
import type { StandardSchema } from '../../base/schema/standard-schema.ts'
import { accountFields } from './account-fields.ts'

function read(fields: StandardSchema<unknown, object>) {
  return accountFields({ registration: { fields } })
}

test('fields have the kinds of their schema, whatever the library', async () => {
  const kinds = { name: 'text', age: 'number', size: 'number', news: 'boolean', role: 'text' }
  const byValibot = await read(
    v.object({
      name: v.nullable(v.string()),
      age: v.pipe(v.number(), v.integer()),
      size: v.nullish(v.number()),
      news: v.boolean(),
      role: v.picklist(['staff', 'patient']),
    }),
  )
  const byZod = await read(
    z.object({
      name: z.string().nullable(),
      age: z.int(),
      size: z.number().nullish(),
      news: z.boolean(),
      role: z.enum(['staff', 'patient']),
    }),
  )
  assert.deepEqual(byValibot?.kinds, kinds)
  assert.deepEqual(byZod?.kinds, kinds)
  assert.deepEqual(byZod?.form, byValibot?.form)
})

test('a box must be checked only if nothing else will do, and a default makes a field optional', async () => {
  const fields = await read(
    v.object({ news: v.boolean(), terms: v.literal(true), plan: v.optional(v.string(), 'free') }),
  )
  assert.deepEqual(
    fields?.form.map(({ name, type, required }) => [name, type, required]),
    [
      ['news', 'checkbox', false],
      ['terms', 'checkbox', true],
      ['plan', 'text', false],
    ],
  )
})

test('columns that accounts have anyway, and values that are no column, are refused', async () => {
  const wrong = [
    v.object({ password: v.string() }),
    v.object({ Factors: v.string() }),
    v.object({ suspended_at: v.number() }),
    v.object({ tags: v.array(v.string()) }),
    v.object({ either: v.union([v.string(), v.number()]) }),
    v.object({}),
  ]
  for (const schema of wrong) await assert.rejects(read(schema), ConfigurationError)
})
