import assert from 'node:assert/strict'
import { createSecretKey } from 'node:crypto'
import { test } from 'node:test'
import { subkey } from './subkey.ts'

const key = createSecretKey(Buffer.alloc(32, 7))

test('a subkey is the same only for the same key and purpose', () => {
  const cursor = subkey(key, 'cursor')
  assert.equal(cursor.symmetricKeySize, 32)
  assert.ok(cursor.equals(subkey(key, 'cursor')))
  assert.ok(!cursor.equals(subkey(key, 'queue')))
  assert.ok(!cursor.equals(subkey(createSecretKey(Buffer.alloc(32, 8)), 'cursor')))
  assert.ok(!cursor.equals(key))
})

test('derived keys never change: stored data depends on them', () => {
  assert.equal(
    subkey(key, 'cursor').export().toString('hex'),
    'cf3a3d1c1944eba62f67f9a6f490aed2403dfc98331071927d6ba2ad72ae5c5a',
  )
})
