import assert from 'node:assert/strict'
import { test } from 'node:test'
import { UuidSequence } from './time-ordered-uuid.ts'

test('UUIDs are of version 7, start with the time and are each greater than the one before', () => {
  const sequence = new UuidSequence()
  const before = Date.now()
  const uuids = Array.from({ length: 20_000 }, () => sequence.next())
  assert.deepEqual(uuids.toSorted(), uuids)
  assert.equal(new Set(uuids).size, uuids.length)
  for (const uuid of uuids) {
    assert.match(uuid, /^[\da-f]{8}-[\da-f]{4}-7[\da-f]{3}-[89ab][\da-f]{3}-[\da-f]{12}$/)
  }
  const [first = ''] = uuids
  const ms = Number.parseInt(first.replaceAll('-', '').slice(0, 12), 16)
  assert.ok(ms >= before && ms <= before + 60_000)
})

test('the clock may be set back', (t) => {
  const sequence = new UuidSequence()
  t.mock.timers.enable({ apis: ['Date'], now: Date.now() + 120_000 })
  const late = sequence.next()
  t.mock.timers.setTime(0)
  assert.ok(sequence.next() > late)
})
