import assert from 'node:assert/strict'
import { createSecretKey, generateKeyPairSync, randomBytes } from 'node:crypto'
import type { KeyObject } from 'node:crypto'
import { test } from 'node:test'
import { Encrypter } from './encrypter.ts'

const newKey = (): KeyObject => createSecretKey(randomBytes(32))
const secret = Buffer.from('the quick brown fox')

test('decrypting returns the plaintext, and the ciphertext reveals nothing of it', () => {
  const encrypter = new Encrypter([newKey()], 'test')
  for (const plain of [secret, Buffer.alloc(0), randomBytes(100_000)]) {
    const sealed = encrypter.encrypt(plain, 'here')
    assert.equal(sealed.length, plain.length + 57)
    if (plain.length > 0) assert.equal(sealed.includes(plain), false)
    assert.deepEqual(encrypter.decrypt(sealed, 'here'), plain)
    assert.deepEqual(encrypter.decrypt(new Uint8Array(sealed), 'here'), plain)
  }
})

test('the same bytes are encrypted differently each time', () => {
  const encrypter = new Encrypter([newKey()], 'test')
  const seen = new Set<string>()
  for (let time = 0; time < 50; time++) {
    seen.add(encrypter.encrypt(secret, '').subarray(9).toString('hex'))
  }
  assert.equal(seen.size, 50)
})

test('changing any byte, or cutting anywhere, is rejected', () => {
  const encrypter = new Encrypter([newKey()], 'test')
  const sealed = encrypter.encrypt(secret, 'here')
  for (const [at, byte] of sealed.entries()) {
    const changed = Buffer.from(sealed)
    changed[at] = byte ^ 1
    assert.throws(() => encrypter.decrypt(changed, 'here'), { code: 'E_DECRYPT' })
    assert.throws(() => encrypter.decrypt(sealed.subarray(0, at), 'here'), { code: 'E_DECRYPT' })
  }
})

test('encrypted bytes belong to one context, one purpose and one key', () => {
  const [key, other] = [newKey(), newKey()]
  const sealed = new Encrypter([key], 'test').encrypt(secret, 'here')
  assert.throws(() => new Encrypter([key], 'test').decrypt(sealed, 'there'), /another context/)
  assert.throws(() => new Encrypter([key], 'tests').decrypt(sealed, 'here'), /previous key/)
  assert.throws(() => new Encrypter([other], 'test').decrypt(sealed, 'here'), /previous key/)
})

test('a new key encrypts while the previous ones still decrypt', () => {
  const [first, second, third] = [newKey(), newKey(), newKey()]
  const old = new Encrypter([first], 'test').encrypt(secret, '')
  const rotated = new Encrypter([second, first], 'test')
  assert.deepEqual(rotated.decrypt(old, ''), secret)
  const fresh = rotated.encrypt(secret, '')
  assert.deepEqual(new Encrypter([third, second], 'test').decrypt(fresh, ''), secret)
  assert.throws(() => new Encrypter([first], 'test').decrypt(fresh, ''), { code: 'E_DECRYPT' })
})

test('an error never repeats bytes or keys', () => {
  const key = newKey()
  const encrypter = new Encrypter([key], 'test')
  const sealed = encrypter.encrypt(secret, 'here')
  assert.throws(
    () => encrypter.decrypt(sealed, 'there'),
    (error: Error) => {
      const told = `${error.message} ${error.stack} ${JSON.stringify(error)}`
      for (const bytes of [key.export(), sealed.subarray(9, 41), secret]) {
        assert.ok(!told.includes(bytes.toString('hex')) && !told.includes(bytes.toString('base64')))
      }
      return error.cause === undefined
    },
  )
  assert.doesNotMatch(JSON.stringify(encrypter), /key/)
})

test('invalid keys are rejected', () => {
  const { privateKey } = generateKeyPairSync('ed25519')
  for (const keys of [[], [createSecretKey(randomBytes(16))], [newKey(), privateKey]]) {
    assert.throws(() => new Encrypter(keys, 'test'), { code: 'E_INVALID_ARGUMENT' })
  }
})
