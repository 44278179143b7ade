import assert from 'node:assert/strict'
import { test } from 'node:test'
import * as fc from 'fast-check'
import { countHit, resultOf } from './counter.ts'
import type { Counter } from './counter.ts'
import type { RateRule, RateLimitResult } from './rate-limit-store.ts'

/** One counter and its verdicts, hit after hit. */
function counting(rule: RateRule): (now: number) => RateLimitResult {
  let counter: Counter | null = null
  return (now) => {
    const counted = countHit(counter, rule, now)
    counter = counted
    return resultOf(counted, rule, now)
  }
}

const fixed: RateRule = { limit: 2, window: 60, algorithm: 'fixed' }
const sliding: RateRule = { limit: 4, window: 60, algorithm: 'sliding' }

test('a fixed window starts at the first hit and takes as many as the limit', () => {
  const hit = counting(fixed)
  assert.deepEqual(hit(1000.5), { allowed: true, remaining: 1, reset: 1060.5, retry: 1000.5 })
  assert.deepEqual(hit(1030), { allowed: true, remaining: 0, reset: 1060.5, retry: 1030 })
  assert.deepEqual(hit(1060.4), { allowed: false, remaining: 0, reset: 1060.5, retry: 1060.5 })
})

test('a fixed window is over at its end, and the next starts at the hit that comes then', () => {
  const hit = counting(fixed)
  hit(1000)
  assert.deepEqual(hit(1060), { allowed: true, remaining: 1, reset: 1120, retry: 1060 })
  assert.equal(hit(1100).reset, 1120)
})

test('of the window before, a sliding one counts the share that has not slid out', () => {
  const hit = counting(sliding)
  for (let count = 0; count < 4; count += 1) assert.equal(hit(1000).allowed, true)
  assert.equal(hit(1059).allowed, false)
  // Three quarters of four are three.
  assert.deepEqual(hit(1075), { allowed: true, remaining: 0, reset: 1180, retry: 1075 })
  assert.equal(hit(1075).allowed, false)
})

test('a window that slides takes the whole limit again after two windows without a hit', () => {
  const hit = counting(sliding)
  for (let count = 0; count < 4; count += 1) hit(1000)
  assert.deepEqual(hit(1120), { allowed: true, remaining: 3, reset: 1240, retry: 1120 })
})

test('a refused hit is not counted: a client that waits until retry is let in', () => {
  const hit = counting(sliding)
  for (let count = 0; count < 4; count += 1) hit(1000)
  for (let now = 1001; now < 1060; now += 1) assert.equal(hit(now).allowed, false)
  const { retry } = hit(1059.5)
  assert.ok(Math.abs(retry - 1060) < 0.01, `told to come at ${retry}`)
  assert.equal(hit(retry).allowed, true)
})

test('every hit before the retry time is refused, and the next one is allowed', () => {
  const steps = fc.array(fc.double({ min: 0, max: 40, noNaN: true }), { maxLength: 60 })
  const rules = fc.record({
    limit: fc.integer({ min: 1, max: 6 }),
    window: fc.integer({ min: 1, max: 60 }),
    algorithm: fc.constantFrom('fixed' as const, 'sliding' as const),
  })
  fc.assert(
    fc.property(
      rules,
      steps,
      fc.double({ min: 0, max: 0.99, noNaN: true }),
      (rule, pauses, share) => {
        const hit = counting(rule)
        let now = 1_700_000_000
        for (const pause of pauses) {
          now += pause
          const { allowed, retry, remaining } = hit(now)
          if (allowed) continue
          assert.equal(remaining, 0)
          assert.ok(retry > now && retry <= now + 2 * rule.window + 0.01)
          assert.equal(hit(now + Math.max(0, retry - now - 0.01) * share).allowed, false)
          now = retry
          assert.equal(hit(now).allowed, true)
        }
      },
    ),
  )
})

test('exactly as many further hits are allowed as remaining says', () => {
  const steps = fc.array(fc.integer({ min: 0, max: 50 }), { minLength: 1, maxLength: 30 })
  fc.assert(
    fc.property(
      steps,
      fc.constantFrom('fixed' as const, 'sliding' as const),
      (pauses, algorithm) => {
        const hit = counting({ limit: 5, window: 60, algorithm })
        let now = 1_700_000_000
        for (const pause of pauses) {
          now += pause
          const { allowed, remaining } = hit(now)
          if (!allowed) continue
          for (let left = remaining; left > 0; left -= 1) {
            assert.deepEqual([hit(now).allowed, left > 0], [true, true])
          }
          assert.equal(hit(now).allowed, false)
        }
      },
    ),
  )
})
