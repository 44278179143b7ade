import assert from 'node:assert/strict'
import { randomBytes } from 'node:crypto'
import { test } from 'node:test'
import { maskToken, unmaskToken } from './csrf-token.ts'

test('a token comes out from behind its mask as it went in', () => {
  for (let round = 0; round < 100; round += 1) {
    const token = randomBytes(32)
    assert.deepEqual(unmaskToken(maskToken(token)), token)
  }
})

test('every mask of a token differs, and none contains it', () => {
  const token = randomBytes(32)
  const masks = Array.from({ length: 100 }, () => maskToken(token))
  assert.equal(new Set(masks).size, 100)
  for (const mask of masks) {
    const bytes = Buffer.from(mask, 'base64url')
    assert.equal(bytes.length, 64)
    assert.equal(bytes.indexOf(token), -1)
  }
})

test('a text that cannot hold a token is none', () => {
  const mask = maskToken(randomBytes(32))
  for (const text of [
    '',
    'x',
    mask.slice(1),
    `${mask}A`,
    `${mask.slice(1)}+`,
    `${mask.slice(1)}é`,
  ]) {
    assert.equal(unmaskToken(text), null, text)
  }
})
