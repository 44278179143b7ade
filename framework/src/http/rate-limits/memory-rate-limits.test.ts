import assert from 'node:assert/strict'
import { test } from 'node:test'
import { MemoryRateLimits } from './memory-rate-limits.ts'
import type { RateRule } from './rate-limit-store.ts'

const rule: RateRule = { limit: 1, window: 60, algorithm: 'fixed' }

test('counters do not touch each other', () => {
  const store = new MemoryRateLimits()
  assert.equal(store.hit('a', rule, 1000).allowed, true)
  assert.equal(store.hit('b', rule, 1000).allowed, true)
  assert.equal(store.hit('a', rule, 1001).allowed, false)
})

test('counters that are over are swept, and the others stay', () => {
  const store = new MemoryRateLimits()
  store.hit('a', rule, 1000)
  store.hit('b', rule, 1030)
  assert.equal(store.sweep(1060), 1)
  assert.equal(store.hit('b', rule, 1060).allowed, false)
})

test('above the most counters those that are over go first, then the oldest', () => {
  const store = new MemoryRateLimits({ max: 3 })
  store.hit('over', rule, 900)
  store.hit('old', rule, 1000)
  store.hit('young', rule, 1001)
  store.hit('new', rule, 1002)
  assert.equal(store.hit('old', rule, 1003).allowed, false)
  store.hit('newer', rule, 1004)
  assert.equal(store.hit('young', rule, 1005).allowed, false)
  assert.equal(store.hit('old', rule, 1005).allowed, true)
})

test('clear forgets every hit', () => {
  const store = new MemoryRateLimits()
  store.hit('a', rule, 1000)
  store.clear()
  assert.equal(store.hit('a', rule, 1001).allowed, true)
})

test('a number of counters that cannot be is refused', () => {
  assert.throws(() => new MemoryRateLimits({ max: 0 }), { code: 'E_INVALID_ARGUMENT' })
})
