import assert from 'node:assert/strict'
import { test } from 'node:test'
import * as fc from 'fast-check'
import { isoText } from './iso-text.ts'

test('every date has the text of toISOString', () => {
  fc.assert(
    fc.property(fc.date({ noInvalidDate: true }), (date) => {
      assert.equal(isoText(date), date.toISOString())
    }),
  )
  for (const ms of [0, -1, 86_399_999, 8.64e15, -8.64e15, -62_167_219_200_001]) {
    assert.equal(isoText(new Date(ms)), new Date(ms).toISOString())
  }
})

test('more days than are kept have their texts too', () => {
  for (let day = 0; day < 2_500; day += 1) {
    const date = new Date(day * 86_400_000 + day)
    assert.equal(isoText(date), date.toISOString())
  }
})

test('an invalid date is an error', () => {
  assert.throws(() => isoText(new Date(Number.NaN)), RangeError)
})
