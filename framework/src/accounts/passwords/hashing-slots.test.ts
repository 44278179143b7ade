import assert from 'node:assert/strict'
import { test } from 'node:test'
import { hashingSlots } from './hashing-slots.ts'

test('one thread of the pool stays free for file access and DNS lookups', () => {
  assert.equal(hashingSlots(undefined, 64), 3)
  assert.equal(hashingSlots('8', 64), 7)
  assert.equal(hashingSlots('2', 64), 1)
})

test('no more run at once than there are cores', () => {
  assert.equal(hashingSlots(undefined, 2), 2)
  assert.equal(hashingSlots('64', 4), 4)
})

test('there is always at least one slot, whatever the environment says', () => {
  for (const threads of ['1', '0', '-3', 'many', '']) assert.equal(hashingSlots(threads, 8), 1)
  assert.equal(hashingSlots('4', 1), 1)
})
