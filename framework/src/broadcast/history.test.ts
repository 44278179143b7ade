import assert from 'node:assert/strict'
import { test } from 'node:test'
import type { BroadcastEntry } from './broadcast-log.ts'
import { History, completeHistory, defaultLimits } from './history.ts'
import { formatPosition, origin } from './position.ts'

const epoch = 1_000

function entry(sequence: number, atMs = 0, data = '1'): BroadcastEntry {
  return { position: { epoch, sequence }, atMs, channel: 'notes', name: 'added', data }
}

function sequencesAfter(history: History, sequence: number, of = epoch): number[] | null {
  const entries = history.after({ epoch: of, sequence })
  return entries?.map(({ position }) => position.sequence) ?? null
}

function filled(count: number, limits: Partial<typeof defaultLimits> = {}): History {
  const history = new History({ ...defaultLimits, ...limits }, { epoch, sequence: 0 }, () => 0)
  for (let sequence = 1; sequence <= count; sequence += 1) history.append(entry(sequence))
  return history
}

test('what follows a position is returned in order', () => {
  const history = filled(5)
  assert.deepEqual(sequencesAfter(history, 0), [1, 2, 3, 4, 5])
  assert.deepEqual(sequencesAfter(history, 3), [4, 5])
  assert.deepEqual(sequencesAfter(history, 5), [])
})

test('a position is too old as soon as the event after it is not kept', () => {
  const history = filled(5_000, { maxEvents: 3 })
  assert.deepEqual(sequencesAfter(history, 4_997), [4_998, 4_999, 5_000])
  assert.equal(sequencesAfter(history, 4_996), null)
  assert.equal(sequencesAfter(history, 0), null)
})

test('events are kept for a time, however few there are', () => {
  let nowMs = 0
  const limits = { ...defaultLimits, maxAge: 10 }
  const history = new History(limits, { epoch, sequence: 0 }, () => nowMs)
  history.append(entry(1, 0))
  history.append(entry(2, 9_000))
  nowMs = 10_000
  assert.deepEqual(sequencesAfter(history, 0), [1, 2])
  nowMs = 10_001
  assert.equal(sequencesAfter(history, 0), null)
  assert.deepEqual(sequencesAfter(history, 1), [2])
  nowMs = 60_000
  assert.deepEqual(sequencesAfter(history, 2), [], 'nothing was missed')
})

test('large events push out others', () => {
  const history = filled(1, { maxBytes: 20_000 })
  for (const sequence of [2, 3, 4]) history.append(entry(sequence, 0, 'x'.repeat(4_000)))
  assert.equal(sequencesAfter(history, 1), null)
  assert.deepEqual(sequencesAfter(history, 2), [3, 4])
})

test('a position of another epoch is unknown, and one slightly ahead is not', () => {
  const history = filled(5)
  assert.equal(sequencesAfter(history, 3, epoch - 1), null)
  assert.equal(sequencesAfter(history, 3, epoch + 1), null)
  assert.deepEqual(sequencesAfter(history, 7), [])
  assert.equal(sequencesAfter(history, 5 + defaultLimits.maxEvents + 1), null)
})

test('a log that was empty goes on with its first event', () => {
  const history = new History(defaultLimits, origin, () => 0)
  assert.deepEqual(history.after(origin), [])
  assert.equal(history.expects(entry(2)), false)
  assert.equal(history.expects(entry(1)), true)
  history.append(entry(1))
  assert.equal(history.after(origin)?.length, 1)
  assert.equal(formatPosition(history.position), '1000-1')
})

test('a limit must be a number of at least 1', () => {
  assert.deepEqual(completeHistory({}), defaultLimits)
  for (const wrong of [0, -1, Number.NaN, Infinity]) {
    assert.throws(() => completeHistory({ maxAge: wrong }), { code: 'E_INVALID_ARGUMENT' })
  }
})
