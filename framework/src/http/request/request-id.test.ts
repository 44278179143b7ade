import assert from 'node:assert/strict'
import { test } from 'node:test'
import { requestId } from './request-id.ts'

test('new ids are UUIDs of version 4, and none comes twice', () => {
  const uuids = Array.from({ length: 20_000 }, () => requestId(undefined))
  assert.equal(new Set(uuids).size, uuids.length)
  for (const uuid of uuids) {
    assert.match(uuid, /^[\da-f]{8}-[\da-f]{4}-4[\da-f]{3}-[89ab][\da-f]{3}-[\da-f]{12}$/)
  }
})

test('every digit that is not fixed takes every value', () => {
  const uuids = Array.from({ length: 2_000 }, () => requestId(undefined))
  const values = Array.from({ length: 36 }, (_, at) => new Set(uuids.map((uuid) => uuid[at])).size)
  const expected = Array.from('xxxxxxxx-xxxx-4xxx-vxxx-xxxxxxxxxxxx', (sign) => {
    if (sign === 'x') return 16
    return sign === 'v' ? 4 : 1
  })
  assert.deepEqual(values, expected)
})
