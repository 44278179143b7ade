import assert from 'node:assert/strict'
import { test } from 'node:test'
import * as fc from 'fast-check'
import { Query, queryPairs } from './query.ts'

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

test('of a name that occurs several times the last value counts, and all are there', () => {
  const query = new Query('tag=a&page=2&tag=b%20c')
  assert.deepEqual({ ...query.values }, { tag: 'b c', page: '2' })
  assert.deepEqual(query.all('tag'), ['a', 'b c'])
  assert.deepEqual(query.all('other'), [])
})
