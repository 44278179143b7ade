import assert from 'node:assert/strict'
import { randomBytes, createSecretKey } from 'node:crypto'
import { test } from 'node:test'
import { parseKey, keyWeakness, subkey } from './secret-key.ts'

const bytes = randomBytes(32)

test('a key is parsed from hexadecimal digits or base64 in either alphabet', () => {
  const forms = [
    bytes.toString('hex'),
    bytes.toString('hex').toUpperCase(),
    bytes.toString('base64'),
    bytes.toString('base64').slice(0, -1),
    bytes.toString('base64url'),
  ]
  for (const form of forms) assert.deepEqual(parseKey(form)?.export(), bytes)
})

test('a text of another length or alphabet is not a key', () => {
  const texts = ['', 'secret', bytes.toString('hex').slice(1), `${bytes.toString('hex')}0`]
  texts.push(randomBytes(31).toString('base64'), randomBytes(33).toString('base64'), ' '.repeat(43))
  texts.push(`${bytes.toString('hex')}\n`, `base64:${bytes.toString('base64')}`)
  for (const text of texts) assert.equal(parseKey(text), undefined)
})

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
