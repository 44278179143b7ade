import assert from 'node:assert/strict'
import { createHash } from 'node:crypto'
import { test } from 'node:test'
import { newApiTokenText, readApiTokenText } from './api-tokens.ts'

test('a token is fw, a selector and a verifier with its checksum', () => {
  const { value, selector, digest } = newApiTokenText()
  const [, found, verifier = ''] = /^fw_([0-9a-f]{16})_([0-9a-f]{64})[0-9a-f]{8}$/.exec(value) ?? []
  assert.equal(found, selector)
  assert.equal(digest, createHash('sha256').update(verifier).digest('hex'))
  assert.deepEqual(readApiTokenText(value), { selector, digest })
})

test('the checksum is the CRC-32 of what is before it', () => {
  const body = `fw_${'0'.repeat(16)}_${'0'.repeat(64)}`
  assert.notEqual(readApiTokenText(`${body}80d69819`), null)
})

test('a token with any other digit, or anything around it, is malformed', () => {
  const { value } = newApiTokenText()
  for (const at of [3, 10, 20, 50, 83, 84, 91]) {
    const other = value[at] === '0' ? '1' : '0'
    assert.equal(readApiTokenText(value.slice(0, at) + other + value.slice(at + 1)), null)
  }
  for (const text of ['', ' ', `${value} `, ` ${value}`, `${value}\n`, value.toUpperCase()]) {
    assert.equal(readApiTokenText(text), null)
  }
})
