import assert from 'node:assert/strict'
import { test } from 'node:test'
import { Pagination } from '../../orm/pagination/pagination.ts'
import { lastValues } from '../request/query.ts'
import { readListRequest } from './list-query.ts'
import type { ListRequest } from './list-query.ts'

function read(query: string): ListRequest {
  return readListRequest(lastValues(new URLSearchParams(query)), { cap: 100, limit: 10 })
}

for (const [text, limit] of [
  ['', 10],
  ['limit=', 10],
  ['limit=0', 10],
  ['limit=-5', 10],
  ['limit=5.5', 10],
  ['limit=1e2', 10],
  ['limit=0x10', 10],
  ['limit=%205', 10],
  ['limit=ten', 10],
  ['limit=1', 1],
  ['limit=007', 7],
  ['limit=100', 100],
  ['limit=101', 100],
  ['limit=99999999999999999999999', 100],
  [`limit=${'9'.repeat(400)}`, 100],
  ['limit=5&limit=7', 7],
] as const) {
  test(`"${text.slice(0, 40)}" is ${limit} rows`, () => assert.equal(read(text).limit, limit))
}

for (const [text, page] of [
  ['', 1],
  ['page=', 1],
  ['page=0', 1],
  ['page=-1', 1],
  ['page=1.5', 1],
  ['page=two', 1],
  ['page=2', 2],
  ['page=9007199254740993', 900_719_925_474_099],
  [`page=${'9'.repeat(400)}`, 900_719_925_474_099],
  ['page=9007199254740991&limit=1', Number.MAX_SAFE_INTEGER - 1],
] as const) {
  test(`"${text.slice(0, 40)}" is page ${page}`, () => assert.equal(read(text).page, page))
}

test('the furthest page is one that a pagination takes', () => {
  for (const limit of [1, 3, 7, 10, 99, 100]) {
    const { page } = read(`page=${'9'.repeat(30)}&limit=${limit}`)
    assert.ok(new Pagination({ page, limit }), String(limit))
  }
})

test('a present cursor selects cursor mode, also when it is empty', () => {
  assert.deepEqual(read('cursor=WzFd'), { limit: 10, page: null, cursor: 'WzFd' })
  assert.deepEqual(read('cursor='), { limit: 10, page: null, cursor: '' })
  assert.deepEqual(read('cursor'), { limit: 10, page: null, cursor: '' })
})

test('a cursor wins over a page', () => {
  assert.deepEqual(read('page=3&cursor=&limit=500'), { limit: 100, page: null, cursor: '' })
})

test('a list in cursor mode begins without a cursor and has no pages', () => {
  const query = lastValues(new URLSearchParams('page=3'))
  const request = readListRequest(query, { cap: 100, limit: 10 }, 'cursor')
  assert.deepEqual(request, { limit: 10, page: null, cursor: '' })
})

test('the usual number of rows respects the cap too', () => {
  assert.equal(readListRequest({}, { cap: 5, limit: 10 }).limit, 5)
})
