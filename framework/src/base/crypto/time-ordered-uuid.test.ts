import assert from 'node:assert/strict'
import { test } from 'node:test'
import { timeOrderedUuid } from './time-ordered-uuid.ts'

test('UUIDs are of version 7, start with the time and are each greater than the one before', () => {
  const before = Date.now()
  const uuids = Array.from({ length: 20_000 }, timeOrderedUuid)
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
  t.mock.timers.enable({ apis: ['Date'], now: Date.now() + 120_000 })
  const late = timeOrderedUuid()
  t.mock.timers.setTime(0)
  assert.ok(timeOrderedUuid() > late)
})
