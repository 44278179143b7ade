import assert from 'node:assert/strict'
import { test } from 'node:test'
import { dialects } from '../../../tests/support/dialects.ts'
import { keyLists } from './key-lists.ts'

test('without keys there are no lists', () => {
  assert.deepEqual(keyLists([], dialects.sqlite), [])
})

test('a list is padded to a power of two with its last key', () => {
  assert.deepEqual(keyLists([7], dialects.postgres), [[7]])
  assert.deepEqual(keyLists([7n, 8n, 9n], dialects.mariadb), [[7n, 8n, 9n, 9n]])
  assert.deepEqual(keyLists(['a', 'b', 'c', 'd'], dialects.sqlite), [['a', 'b', 'c', 'd']])
})

test('lists stay below what a statement can bind, and every key is in one', () => {
  const limits = { sqlite: 32_766, postgres: 65_535, mariadb: 65_535 } as const
  const keys = Array.from({ length: 70_000 }, (_, index) => index)
  for (const dialect of ['sqlite', 'postgres', 'mariadb'] as const) {
    const lists = keyLists(new Set(keys), dialects[dialect])
    assert.ok(lists.every(({ length }) => length <= limits[dialect]))
    assert.deepEqual([...new Set(lists.flat())], keys)
  }
})

test('a list that is full ends where it is full', () => {
  const lists = keyLists(Array(32_768).keys(), dialects.sqlite)
  assert.deepEqual(
    lists.map(({ length }) => length),
    [16_384, 16_384],
  )
})
