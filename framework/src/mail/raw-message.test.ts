import assert from 'node:assert/strict'
import { test } from 'node:test'
import { packMessage, unpackMessage } from './raw-message.ts'

test('a message comes out of the queue byte for byte as it went in', () => {
  const raw = Uint8Array.from({ length: 512 }, (_, at) => at % 256)
  const message = { id: 'a@b', from: 'a@b', to: ['jürgen@example.org'], raw }
  const unpacked = unpackMessage(JSON.parse(JSON.stringify(packMessage(message))))
  assert.deepEqual([...unpacked.raw], [...raw])
  assert.deepEqual({ ...unpacked, raw }, message)
})
