import assert from 'node:assert/strict'
import { test } from 'node:test'
import { pageNumbers } from './list-page.ts'

const href = (page: number): string => `/items?page=${page}`

function shown(
  page: number,
  pages: number,
  more: { open?: boolean; around?: number } = {},
): string {
  return pageNumbers({ page, pages, href, ...more })
    .map(({ page: number, current }) => (number === null ? '…' : current ? `[${number}]` : number))
    .join(' ')
}

test('the first, the last and those around the shown page are listed, with gaps between', () => {
  assert.equal(shown(5, 90), '1 … 4 [5] 6 … 90')
  assert.equal(shown(1, 90), '[1] 2 … 90')
  assert.equal(shown(90, 90), '1 … 89 [90]')
  assert.equal(shown(10, 90, { around: 2 }), '1 … 8 9 [10] 11 12 … 90')
})

test('a gap never stands for a single page', () => {
  assert.equal(shown(4, 7), '1 2 3 [4] 5 6 7')
  assert.equal(shown(3, 5), '1 2 [3] 4 5')
  for (let pages = 2; pages < 15; pages += 1) {
    for (let page = 1; page <= pages; page += 1) {
      const numbers = pageNumbers({ page, pages, href }).map((entry) => entry.page)
      for (const [at, number] of numbers.entries()) {
        if (number === null) assert.ok((numbers[at + 1] ?? 0) - (numbers[at - 1] ?? 0) > 2)
      }
    }
  }
})

test('without a second page there is nothing to choose; beyond the end none is current', () => {
  assert.equal(shown(1, 1), '')
  assert.equal(shown(1, 0), '')
  assert.equal(shown(9, 3), '1 2 3')
})

test('a list whose end is not known ends in a gap', () => {
  assert.equal(shown(5, 10, { open: true }), '1 … 4 [5] 6 … 10 …')
})

test('an entry has a link and a name for people who hear it', () => {
  const [first, second] = pageNumbers({ page: 1, pages: 2, href })
  assert.deepEqual(first, { page: 1, href: '/items?page=1', current: true, label: 'Page 1' })
  assert.deepEqual(second, { page: 2, href: '/items?page=2', current: false, label: 'Page 2' })
})
