import assert from 'node:assert/strict'
import { createHash } from 'node:crypto'
import { test } from 'node:test'
import { isSessionId, newSessionId, sessionDigest, sessionHandle } from './session-id.ts'

test('an id has 256 random bits', () => {
  const ids = new Set(Array.from({ length: 1000 }, newSessionId))
  assert.equal(ids.size, 1000)
  for (const id of ids) {
    assert.equal(Buffer.from(id, 'base64url').length, 32)
    assert.equal(isSessionId(id), true)
  }
})

for (const text of [undefined, '', 'x', 'x'.repeat(42), 'x'.repeat(44), `${'x'.repeat(42)}=`]) {
  test(`"${text}" is no id`, () => assert.equal(isSessionId(text), false))
}

test('the sha256 of the id is stored', () => {
  const id = newSessionId()
  assert.equal(sessionDigest(id), createHash('sha256').update(id).digest('hex'))
})

test('a handle is neither the digest nor a part of it', () => {
  const digest = sessionDigest(newSessionId())
  const handle = sessionHandle(digest)
  assert.match(handle, /^[0-9a-f]{32}$/)
  assert.equal(handle, sessionHandle(digest))
  assert.equal(digest.includes(handle), false)
})
