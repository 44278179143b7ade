import assert from 'node:assert/strict'
import { text } from 'node:stream/consumers'
import { test } from 'node:test'
import { exportText } from './account-exports.ts'

const now = 1_700_000_000

test('the file is JSON with every part, in order', async () => {
  const parts = {
    one: async (user: string) => ({ user, text: 'ä "quoted"\n' }),
    none: async () => undefined,
    list: async function* () {
      yield 1
      yield { two: 2 }
    },
    empty: async function* () {},
  }
  const made: Record<string, unknown> = JSON.parse(await text(exportText('7', parts, now)))
  assert.deepEqual(made, {
    created: '2023-11-14T22:13:20.000Z',
    one: { user: '7', text: 'ä "quoted"\n' },
    none: null,
    list: [1, { two: 2 }],
    empty: [],
  })
  assert.deepEqual(Object.keys(made), ['created', 'one', 'none', 'list', 'empty'])
})

test('a long part is read as fast as it is written, not faster', async () => {
  let read = 0
  const parts = {
    rows: async function* () {
      for (; read < 500; read += 1) yield 'row'
    },
  }
  let written = 0
  for await (const chunk of exportText('7', parts, now)) {
    if (chunk.includes('row"')) written += 1
    assert.ok(read - written <= 1, `${read} were read, ${written} written`)
  }
  assert.equal(read, 500)
})
