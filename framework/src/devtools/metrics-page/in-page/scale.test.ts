import assert from 'node:assert/strict'
import { test } from 'node:test'
import * as fc from 'fast-check'
import { scaleOf } from './scale.ts'

test('ticks stand at round numbers', () => {
  assert.deepEqual(scaleOf(87, 1, false), { top: 100, ticks: [0, 25, 50, 75, 100] })
  assert.deepEqual(scaleOf(0.3, 0.001, false).ticks, [0, 0.1, 0.2, 0.3])
  assert.deepEqual(scaleOf(610, 1, false).ticks, [0, 200, 400, 600, 800])
})

test('an axis reaches as far as it should when there is next to nothing', () => {
  assert.equal(scaleOf(0, 1, false).top, 1)
  assert.equal(scaleOf(0.0001, 0.001, false).top, 0.001)
})

test('an axis of counts keeps to whole numbers', () => {
  assert.deepEqual(scaleOf(1, 4, true).ticks, [0, 1, 2, 3, 4])
  assert.deepEqual(scaleOf(10, 4, true).ticks, [0, 3, 6, 9, 12])
})

test('every axis holds its values and has few ticks', () => {
  fc.assert(
    fc.property(fc.double({ min: 1e-9, max: 1e15, noNaN: true }), fc.boolean(), (most, whole) => {
      const { top, ticks } = scaleOf(most, 1e-9, whole)
      assert.ok(top >= most * 0.999)
      assert.ok(ticks.length >= 2 && ticks.length <= 6)
      assert.equal(ticks[0], 0)
      assert.ok(!whole || ticks.every(Number.isInteger))
    }),
  )
})
