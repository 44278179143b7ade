import assert from 'node:assert/strict'
import { createSecretKey, randomBytes } from 'node:crypto'
import { test } from 'node:test'
import { MessageEncrypter, messageOverhead } from './message-encrypter.ts'
import { pooledRandomBytes } from './random-pool.ts'

const secret = () => createSecretKey(randomBytes(32))
const plain = Buffer.from('a message')

test('a message comes back, and equal messages differ', () => {
  const encrypter = new MessageEncrypter([secret()], 'test')
  const [one, other] = [encrypter.encrypt(plain), encrypter.encrypt(plain)]
  assert.equal(one.length, plain.length + messageOverhead)
  assert.notDeepEqual(one, other)
  assert.deepEqual([encrypter.decrypt(one), encrypter.decrypt(other)], [plain, plain])
  assert.deepEqual(encrypter.decrypt(encrypter.encrypt(Buffer.alloc(0))), Buffer.alloc(0))
})

test('another process with the same key decrypts it, and no salt comes twice', () => {
  const key = secret()
  const [one, other] = [new MessageEncrypter([key], 'test'), new MessageEncrypter([key], 'test')]
  const [sealed, second] = [one.encrypt(plain), other.encrypt(plain)]
  assert.deepEqual(other.decrypt(sealed), plain)
  assert.notDeepEqual(sealed.subarray(8, 24), second.subarray(8, 24))
})

test('no two messages have the same salt and number', () => {
  const encrypter = new MessageEncrypter([secret()], 'test')
  const heads = Array.from({ length: 1000 }, () => encrypter.encrypt(plain).toString('hex', 0, 30))
  assert.equal(new Set(heads).size, 1000)
})

test('a changed byte, a cut, another key and another purpose are null', () => {
  const key = secret()
  const encrypter = new MessageEncrypter([key], 'test')
  const sealed = encrypter.encrypt(plain)
  for (let at = 0; at < sealed.length; at += 1) {
    const changed = Buffer.from(sealed)
    changed[at] = (changed[at] ?? 0) ^ 1
    assert.equal(encrypter.decrypt(changed), null, `byte ${at}`)
    assert.equal(encrypter.decrypt(sealed.subarray(0, at)), null)
  }
  assert.equal(new MessageEncrypter([secret()], 'test').decrypt(sealed), null)
  assert.equal(new MessageEncrypter([key], 'other').decrypt(sealed), null)
})

test('former keys decrypt, and the first one encrypts', () => {
  const [old, current] = [secret(), secret()]
  const before = new MessageEncrypter([old], 'test')
  const after = new MessageEncrypter([current, old], 'test')
  assert.deepEqual(after.decrypt(before.encrypt(plain)), plain)
  assert.equal(before.decrypt(after.encrypt(plain)), null)
})

test('pooled random bytes have the length that was asked for, and none comes twice', () => {
  const lengths = [1, 16, 32, 33, 4096]
  assert.deepEqual(
    lengths.map((length) => pooledRandomBytes(length).length),
    lengths,
  )
  const texts = Array.from({ length: 2000 }, () => pooledRandomBytes(32).toString('hex'))
  assert.equal(new Set(texts).size, 2000)
  assert.ok(!texts.some((text) => /00000000/.test(text)))
})
