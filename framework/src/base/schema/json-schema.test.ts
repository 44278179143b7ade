import assert from 'node:assert/strict'
import { test } from 'node:test'
import { type } from 'arktype'
import * as v from 'valibot'
import { z } from 'zod'
import { jsonSchemaOf } from './json-schema.ts'
import type { StandardSchema } from './standard-schema.ts'

const expected = {
  type: 'object',
  properties: { title: { type: 'string', minLength: 1 }, stars: { type: 'integer', maximum: 5 } },
  required: ['title'],
}

const schemas: Readonly<Record<string, StandardSchema>> = {
  valibot: v.object({
    title: v.pipe(v.string(), v.trim(), v.nonEmpty()),
    stars: v.optional(v.pipe(v.number(), v.integer(), v.maxValue(5))),
  }),
  zod: z.object({ title: z.string().min(1), stars: z.int().max(5).optional() }),
  arktype: type({ title: 'string > 0', 'stars?': 'number.integer <= 5' }),
}

for (const [library, schema] of Object.entries(schemas)) {
  test(`a schema of ${library} becomes JSON Schema`, async () => {
    const { schema: described, note } = await jsonSchemaOf(schema, 'input')
    assert.equal(note, null)
    // zod states the smallest safe integer.
    const text = JSON.stringify(described).replace('"minimum":-9007199254740991,', '')
    assert.deepEqual(JSON.parse(text), expected)
  })
}

test('a part that JSON Schema cannot express fits anything, and leaves the rest as it is', async () => {
  const odd: readonly StandardSchema[] = [
    v.object({ day: v.date(), name: v.string() }),
    z.object({ day: z.date(), name: z.string() }),
    type({ day: 'Date', name: 'string' }),
  ]
  for (const schema of odd) {
    const { schema: described, note } = await jsonSchemaOf(schema, 'input')
    assert.equal(note, null)
    assert.deepEqual(described['properties'], { day: {}, name: { type: 'string' } })
  }
})

test('input is what comes in, and output what a schema makes of it', async () => {
  const Text = v.object({ age: v.pipe(v.string(), v.toNumber()) })
  const taken = await jsonSchemaOf(Text, 'input')
  const made = await jsonSchemaOf(Text, 'output')
  assert.deepEqual(taken.schema['properties'], { age: { type: 'string' } })
  assert.deepEqual(made.schema['properties'], { age: { type: 'number' } })
})

test('a library that cannot tell, or fails, gives an empty schema and a note', async () => {
  const validate = (value: unknown): { value: unknown } => ({ value })
  const silent = { '~standard': { version: 1, vendor: 'own', validate } } as const
  assert.deepEqual(await jsonSchemaOf(silent, 'input'), {
    schema: {},
    note: 'schemas of own do not implement Standard JSON Schema',
  })
  const jsonSchema = {
    input: (): never => {
      throw new Error('no idea')
    },
  }
  const failing = { '~standard': { version: 1, vendor: 'own', validate, jsonSchema } } as const
  assert.deepEqual(await jsonSchemaOf(failing, 'input'), { schema: {}, note: 'no idea' })
})
