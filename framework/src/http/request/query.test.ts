import assert from 'node:assert/strict'
import { test } from 'node:test'
import * as fc from 'fast-check'
import { lastValues, queryPairs } from './query.ts'

test('a query has the pairs of URLSearchParams', () => {
  const piece = fc.constantFrom('a', 'b[]', '=', '&', '?', '+', '%20', '%zz', '%', 'ü', '__proto__')
  const texts = fc.oneof(
    fc.array(piece).map((pieces) => pieces.join('')),
    fc.string(),
  )
  fc.assert(
    fc.property(texts, (text) => {
      assert.deepEqual(queryPairs(text), [...new URLSearchParams(text)])
    }),
    { numRuns: 1_000 },
  )
})

test('of a name that occurs several times the last value counts', () => {
  const values = lastValues(queryPairs('tag=a&page=2&tag=b%20c'))
  assert.deepEqual({ ...values }, { tag: 'b c', page: '2' })
})
