import assert from 'node:assert/strict'
import { test } from 'node:test'
import { packLetter, unpackLetter } from './letter.ts'

test('a letter comes out of the queue byte for byte as it went in', () => {
  const raw = Uint8Array.from({ length: 512 }, (_, at) => at % 256)
  const letter = { id: 'a@b', from: 'a@b', to: ['jürgen@example.org'], raw }
  const unpacked = unpackLetter(JSON.parse(JSON.stringify(packLetter(letter))))
  assert.deepEqual([...unpacked.raw], [...raw])
  assert.deepEqual({ ...unpacked, raw }, letter)
})
