import assert from 'node:assert/strict'
import { test } from 'node:test'
import { boundsOf, checkBounds, sameBounds } from './buckets.ts'

test('bounds must be finite and strictly ascending', () => {
  assert.deepEqual([...checkBounds([-1, 0, 0.5, 10])], [-1, 0, 0.5, 10])
  assert.deepEqual([...checkBounds([])], [])
  for (const bounds of [[1, 1], [2, 1], [Infinity], [-Infinity, 1], [NaN], [1, NaN, 2], ['1'], 5]) {
    assert.throws(() => Reflect.apply(checkBounds, null, [bounds]), {
      name: 'InvalidArgumentException',
      code: 'E_METRIC_BUCKETS',
    })
  }
  assert.throws(() => checkBounds([1, 0.5]), /strictly ascending; got 0.5 after 1/)
})

test('bounds of buckets come in ascending order, whole numbers too', () => {
  const buckets = { '0.5': 1, '10': 3, '2': 2, '-1': 0, '+Inf': 4, '1e-7': 0 }
  assert.deepEqual(boundsOf(buckets), ['-1', '1e-7', '0.5', '2', '10'])
})

test('the same bounds are the same set of bounds', () => {
  assert.equal(sameBounds({ '1': 1, '+Inf': 2 }, { '+Inf': 0, '1': 0 }), true)
  assert.equal(sameBounds({ '1': 1, '+Inf': 2 }, { '2': 1, '+Inf': 2 }), false)
  assert.equal(sameBounds({ '1': 1, '+Inf': 2 }, { '+Inf': 2 }), false)
  assert.equal(sameBounds({ '+Inf': 2 }, { '1': 1, '+Inf': 2 }), false)
})
