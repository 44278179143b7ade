import assert from 'node:assert/strict'
import { test } from 'node:test'
import { isRetryable, retryAfterMs, waitMs } from './deliver.ts'

const nowMs = Date.UTC(2026, 0, 2, 3, 4, 5)

test('429, 502, 503 and 504 pass, every other status is final', () => {
  const statuses = Array.from({ length: 500 }, (_, at) => at + 100)
  assert.deepEqual(statuses.filter(isRetryable), [429, 502, 503, 504])
})

test('pauses double up to 16 s, and chance takes away up to half', () => {
  const longest = [1, 2, 3, 4, 5, 6, 20].map((attempt) => waitMs(attempt, null, 1))
  assert.deepEqual(longest, [1_000, 2_000, 4_000, 8_000, 16_000, 16_000, 16_000])
  assert.equal(waitMs(3, null, 0), 2_000)
  assert.equal(waitMs(3, null, 0.5), 3_000)
})

test('a pause is never shorter than the collector requested', () => {
  assert.equal(waitMs(1, 30_000, 0), 30_000)
  assert.equal(waitMs(1, 30_000, 0.5), 30_500)
  assert.equal(waitMs(5, 0, 0), 0)
})

for (const [header, expected] of [
  ['0', 0],
  ['120', 120_000],
  [' 7 ', 7_000],
  ['Fri, 02 Jan 2026 03:04:35 GMT', 30_000],
  ['Friday, 02-Jan-26 03:04:35 GMT', 30_000],
  ['Fri, 02 Jan 2026 03:04:00 GMT', 0],
  ['-5', null],
  ['1.5', null],
  ['2026', 2_026_000],
  ['99999999999', null],
  ['2026-01-02T03:04:35Z', null],
  ['soon', null],
  ['Soon, I hope', null],
  ['', null],
  [null, null],
] as const) {
  test(`Retry-After: ${header} asks for ${expected} ms`, () => {
    assert.equal(retryAfterMs(header, nowMs), expected)
  })
}
