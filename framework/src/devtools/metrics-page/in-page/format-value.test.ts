import assert from 'node:assert/strict'
import { test } from 'node:test'
import { formatDuration, formatValue, trimZeros } from './format-value.ts'

test('numbers have three digits that matter, and groups of three', () => {
  assert.equal(formatValue(0, 'per-second'), '0/s')
  assert.equal(formatValue(0.0001, 'per-second'), '0/s')
  assert.equal(formatValue(2.3456, 'per-second'), '2.35/s')
  assert.equal(formatValue(9.999, 'per-second'), '10.0/s')
  assert.equal(formatValue(50, 'per-second'), '50.0/s')
  assert.equal(formatValue(99.99, 'per-second'), '100/s')
  assert.equal(formatValue(12_345.6, 'per-minute'), '12,346/min')
  assert.equal(formatValue(999_999.9, 'per-second'), '1.00M/s')
  assert.equal(formatValue(2_500_000, 'per-second'), '2.50M/s')
})

test('seconds and bytes are written in a unit that suits them', () => {
  assert.equal(formatValue(0, 'seconds'), '0 ms')
  assert.equal(formatValue(0.000_25, 'seconds'), '250 µs')
  assert.equal(formatValue(0.012_34, 'seconds'), '12.3 ms')
  assert.equal(formatValue(0.9996, 'seconds'), '1.00 s')
  assert.equal(formatValue(75, 'seconds'), '75.0 s')
  assert.equal(formatValue(0, 'bytes'), '0 B')
  assert.equal(formatValue(999, 'bytes'), '999 B')
  assert.equal(formatValue(123_456_789, 'bytes'), '123 MB')
  assert.equal(formatValue(4_520_000, 'bytes-per-second'), '4.52 MB/s')
})

test('shares are percentages, counts stay whole', () => {
  assert.equal(formatValue(0.0123, 'share'), '1.23 %')
  assert.equal(formatValue(2, 'share'), '200 %')
  assert.equal(formatValue(7, 'count'), '7')
  assert.equal(formatValue(2.5, 'count'), '2.5')
})

test('unknown values are a dash', () => {
  assert.equal(formatValue(null, 'seconds'), '–')
})

test('zeros that tell nothing are trimmed, others stay', () => {
  assert.equal(trimZeros('2.50 ms'), '2.5 ms')
  assert.equal(trimZeros('50.0/s'), '50/s')
  assert.equal(trimZeros('1,000/s'), '1,000/s')
  assert.equal(trimZeros('0.205'), '0.205')
  assert.equal(trimZeros('1.00M/s'), '1M/s')
})

test('a length of time has its two largest units', () => {
  assert.equal(formatDuration(0.4), '0 s')
  assert.equal(formatDuration(59), '59 s')
  assert.equal(formatDuration(61), '1 min 1 s')
  assert.equal(formatDuration(3 * 3_600 + 12 * 60 + 5), '3 h 12 min')
  assert.equal(formatDuration(2 * 86_400), '2 d 0 h')
})
