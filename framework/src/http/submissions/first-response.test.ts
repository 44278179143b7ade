import assert from 'node:assert/strict'
import { test } from 'node:test'
import { openResponse, sealResponse } from './first-response.ts'

const first = {
  status: 303,
  location: '/account',
  refresh: null,
  cookies: ['session=secret; Secure'],
  flashes: { message: 'Grüße' },
  sessions: ['a'.repeat(64)],
  presented: {},
}
const key = { digest: 'd'.repeat(64), token: 't'.repeat(86) }

test('what was sealed for a form is opened for the same form', () => {
  assert.deepEqual(openResponse(key, sealResponse(key, first, false)), first)
})

test('the same response is never sealed to the same text', () => {
  assert.notEqual(sealResponse(key, first, false), sealResponse(key, first, false))
})

test('what was changed, cut, or belongs to another form is not opened', () => {
  const bytes = Buffer.from(sealResponse(key, first, false), 'base64')
  for (let at = 0; at < bytes.length; at += 1) {
    const changed = Buffer.from(bytes)
    changed[at] = (changed[at] ?? 0) ^ 1
    assert.throws(() => openResponse(key, changed.toString('base64')), `byte ${at}`)
  }
  const sealed = bytes.toString('base64')
  assert.throws(() => openResponse(key, bytes.subarray(0, -1).toString('base64')))
  assert.throws(() => openResponse(key, ''))
  assert.throws(() => openResponse({ ...key, digest: 'e'.repeat(64) }, sealed))
  assert.throws(() => openResponse({ ...key, token: 'u'.repeat(86) }, sealed))
})
