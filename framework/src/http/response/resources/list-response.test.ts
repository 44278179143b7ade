import assert from 'node:assert/strict'
import { test } from 'node:test'
import { Modes, Pagination } from '../../../orm/pagination/pagination.ts'
import type { PaginationOutcome } from '../../../orm/pagination/pagination.ts'
import { listBody, listLinks } from './list-response.ts'

function pageLinks(page: number, outcome: Partial<PaginationOutcome>): unknown {
  return listLinks('/users', new Pagination({ page, limit: 5 }).resolve(outcome))
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
  assert.deepEqual(listLinks(URI, walk), {
    next: '/users?q=ada&limit=5&cursor=WzZd',
    prev: null,
  })
  assert.deepEqual(listLinks(URI, walk.resolve()), { next: null, prev: null })
})

test('without a page parameter it is the first page, in the links and in the body', () => {
  const pagination = new Pagination({ limit: 5 }).resolve({ total: 11, pages: 3, more: true })
  assert.deepEqual(listLinks('/users', pagination), { next: '/users?limit=5&page=2', prev: null })
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
