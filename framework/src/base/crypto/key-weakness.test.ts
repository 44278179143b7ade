import assert from 'node:assert/strict'
import { createSecretKey, randomBytes } from 'node:crypto'
import { test } from 'node:test'
import { keyWeakness } from './key-weakness.ts'

const weakness = (bytes: Buffer): string | null => keyWeakness(createSecretKey(bytes))

test('a random key is not weak', () => {
  for (let time = 0; time < 200; time++) assert.equal(weakness(randomBytes(32)), null)
})

test('a key that repeats, counts or was typed is weak', () => {
  assert.match(weakness(Buffer.alloc(32)) ?? '', /repeats/)
  assert.match(weakness(Buffer.from('ab'.repeat(32), 'hex')) ?? '', /repeats/)
  const counting = Buffer.from(Array.from({ length: 32 }, (_, at) => at + 200))
  assert.match(weakness(counting) ?? '', /counts/)
  assert.match(weakness(Buffer.from(counting.toReversed())) ?? '', /counts/)
  assert.match(weakness(Buffer.from('correct horse battery staple yes')) ?? '', /typed/)
})
