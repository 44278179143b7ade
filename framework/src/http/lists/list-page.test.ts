import assert from 'node:assert/strict'
import { test } from 'node:test'
import { Modes, Pagination } from '../../orm/pagination/pagination.ts'
import type { PaginationOutcome } from '../../orm/pagination/pagination.ts'
import { listBody, listLinks, linkHeader, pageNumbers, pageTargets } from './list-page.ts'
import type { ListLinks } from './list-page.ts'

function linksOf(URI: string, pagination: Pagination): ListLinks {
  return listLinks(pagination, pageTargets(URI, pagination.limit))
}

function pageLinks(page: number, outcome: Partial<PaginationOutcome>): unknown {
  return linksOf('/users', new Pagination({ page, limit: 5 }).resolve(outcome))
}

test('a page in the middle leads on and back', () => {
  assert.deepEqual(pageLinks(2, { total: 11, pages: 3, more: true }), {
    next: '/users?limit=5&page=3',
    prev: '/users?limit=5&page=1',
  })
})

test('the first page leads on only, the last one back only', () => {
  const [next, prev] = ['/users?limit=5&page=2', '/users?limit=5&page=2']
  assert.deepEqual(pageLinks(1, { total: 11, pages: 3, more: true }), { next, prev: null })
  assert.deepEqual(pageLinks(3, { total: 11, pages: 3 }), { next: null, prev })
})

test('beyond the end the way back is the last page', () => {
  assert.deepEqual(pageLinks(90, { total: 11, pages: 3 }), {
    next: null,
    prev: '/users?limit=5&page=3',
  })
})

test('an empty list leads nowhere, from whichever page', () => {
  const nowhere = { next: null, prev: null }
  assert.deepEqual(pageLinks(1, { total: 0, pages: 0 }), nowhere)
  assert.deepEqual(pageLinks(7, { total: 0, pages: 0 }), nowhere)
})

test('where nothing was counted, or only about, the way back is the page before', () => {
  const back = { next: null, prev: '/users?limit=5&page=8' }
  assert.deepEqual(pageLinks(9, {}), back)
  assert.deepEqual(pageLinks(9, { total: 10, pages: 2, approximate: true }), back)
})

test('a cursor leads on and never back', () => {
  const walk = new Pagination({ cursor: 'WzFd', limit: 5 })
  walk.resolve({ more: true, next: 'WzZd', previous: 'WzJd' })
  const URI = '/users?cursor=WzFd&q=ada'
  assert.deepEqual(linksOf(URI, walk), {
    next: '/users?q=ada&limit=5&cursor=WzZd',
    prev: null,
  })
  assert.deepEqual(linksOf(URI, walk.resolve()), { next: null, prev: null })
})

test('without a page parameter it is the first page, in the links and in the body', () => {
  const pagination = new Pagination({ limit: 5 }).resolve({ total: 11, pages: 3, more: true })
  assert.deepEqual(linksOf('/users', pagination), { next: '/users?limit=5&page=2', prev: null })
  assert.deepEqual(listBody([], pagination), { items: [], page: 1, pages: 3, limit: 5, total: 11 })
})

test('the body of a page has five members, that of a walk three, in this order', () => {
  const page = new Pagination({ page: 2, limit: 5 }).resolve({ total: 11, pages: 3, more: true })
  assert.equal(
    JSON.stringify(listBody([{ id: 1 }], page)),
    '{"items":[{"id":1}],"page":2,"pages":3,"limit":5,"total":11}',
  )
  const walk = new Pagination({ mode: Modes.Cursor, limit: 5 }).resolve({ next: 'WzFd' })
  assert.equal(
    JSON.stringify(listBody([{ id: 1 }], walk)),
    '{"items":[{"id":1}],"limit":5,"next":"WzFd"}',
  )
  assert.equal(JSON.stringify(listBody([], walk.resolve())), '{"items":[],"limit":5,"next":null}')
})

test('next comes before prev, and missing links are left out', () => {
  assert.equal(linkHeader({ next: '/b', prev: '/a' }), '</b>; rel="next", </a>; rel="prev"')
  assert.equal(linkHeader({ next: '/b', prev: null }), '</b>; rel="next"')
  assert.equal(linkHeader({ next: null, prev: '/a' }), '</a>; rel="prev"')
  assert.equal(linkHeader({ next: null, prev: null }), null)
})

for (const [URI, expected] of [
  ['/users', '/users?limit=10&page=2'],
  ['/users?', '/users?limit=10&page=2'],
  ['/users?page=1', '/users?limit=10&page=2'],
  ['/users?page=1&limit=5&q=ada', '/users?limit=10&q=ada&page=2'],
  ['/users?q=ada&limit=5', '/users?q=ada&limit=10&page=2'],
  ['/users?q=ada', '/users?q=ada&limit=10&page=2'],
  ['/users?limit=5&limit=7&q=ada', '/users?limit=10&q=ada&page=2'],
  ['/users?cursor=abc&page=9', '/users?limit=10&page=2'],
  ['/users?tag=a&tag=b&flag', '/users?tag=a&tag=b&flag&limit=10&page=2'],
  ['/users?&&q=a&', '/users?q=a&limit=10&page=2'],
] as const) {
  test(`page 2 of ${URI} is ${expected}`, () => {
    assert.equal(pageTargets(URI, 10)({ page: 2 }), expected)
  })
}

test('a cursor comes last too, and takes the place of a page', () => {
  const target = pageTargets('/users?page=3&limit=5&q=ada', 5)({ cursor: 'WyJCb2IiLDdd' })
  assert.equal(target, '/users?limit=5&q=ada&cursor=WyJCb2IiLDdd')
})

test('the path and the parameters of others keep their spelling', () => {
  const target = pageTargets('/caf%C3%A9/a+b?q=a%20b+c&x=%26%3d', 10)({ page: 2 })
  assert.equal(target, '/caf%C3%A9/a+b?q=a%20b+c&x=%26%3d&limit=10&page=2')
})

test('a parameter is known by its name however it is spelled', () => {
  const target = pageTargets('/users?l%69mit=5&p%61ge=4&%63ursor=x', 10)({ page: 2 })
  assert.equal(target, '/users?limit=10&page=2')
})

test('a name that only resembles one of ours is kept', () => {
  const target = pageTargets('/users?a=1&?limit=5&Page=4&cursors=x', 10)({ page: 2 })
  assert.equal(target, '/users?a=1&?limit=5&Page=4&cursors=x&limit=10&page=2')
})

test('what came from outside cannot end the target or add a parameter to the header', () => {
  const target = pageTargets(
    '/a>b?q=>; rel="next", </evil>&x="\\\u00e9 #f\ud800',
    10,
  )({
    page: 2,
  })
  assert.equal(
    target,
    '/a%3Eb?q=%3E;%20rel=%22next%22,%20%3C/evil%3E&x=%22%5C%C3%A9%20%23f%EF%BF%BD&limit=10&page=2',
  )
  assert.match(target, /^[\x21-\x7e]+$/)
})

test('a bare percent sign means the same after it was encoded', () => {
  const target = pageTargets('/users?q=100%&r=%zz', 10)({ page: 2 })
  assert.equal(target, '/users?q=100%25&r=%25zz&limit=10&page=2')
  const read = new URLSearchParams(target.slice(target.indexOf('?')))
  assert.equal(read.get('q'), '100%')
  assert.equal(read.get('r'), '%zz')
})

test('a path that begins with two slashes stays a path of this site', () => {
  const target = pageTargets('//evil.example/users', 10)({ page: 2 })
  const url = new URL(target, 'http://here.example/')
  assert.equal(url.host, 'here.example')
  assert.equal(url.pathname, '//evil.example/users')
})

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
