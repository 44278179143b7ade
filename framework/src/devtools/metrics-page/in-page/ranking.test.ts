import assert from 'node:assert/strict'
import { test } from 'node:test'
import { nextSorting, shownText, topRows } from './ranking.ts'
import type { RankedRow, Sorting } from './ranking.ts'

const row = (name: string, number: number | null): RankedRow => ({
  texts: [name],
  keys: [name, number],
})
const rows = [row('b', 2), row('c', null), row('a', 10), row('d', 0.5)]

function sorted(sorting: Sorting, most = 20): string {
  return topRows(rows, sorting, most)
    .map(({ texts }) => texts[0])
    .join('')
}

test('rows are sorted by a column, unknown numbers last, either way', () => {
  assert.equal(sorted({ column: 1, descending: true }), 'abdc')
  assert.equal(sorted({ column: 1, descending: false }), 'dbac')
  assert.equal(sorted({ column: 0, descending: false }), 'abcd')
  assert.equal(sorted({ column: 0, descending: true }), 'dcba')
})

test('only the first rows are shown, and the text says of how many', () => {
  assert.equal(sorted({ column: 1, descending: true }, 2), 'ab')
  assert.equal(shownText(2, 4, 'routes'), 'The first 2 of 4 routes.')
  assert.equal(shownText(4, 4, 'routes'), '')
})

test('a second click on a header turns the order, another column starts from the top', () => {
  const first = nextSorting({ column: 1, descending: true }, 1)
  assert.deepEqual(first, { column: 1, descending: false })
  assert.deepEqual(nextSorting(first, 1), { column: 1, descending: true })
  assert.deepEqual(nextSorting(first, 2), { column: 2, descending: true })
  assert.deepEqual(nextSorting(first, 0), { column: 0, descending: false })
})
