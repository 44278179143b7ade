import assert from 'node:assert/strict'
import { test } from 'node:test'
import { StatementCache } from './sqlite-statement.ts'

test('cached entries are found, others are undefined', () => {
  const cache = new StatementCache<number>(10)
  cache.set('a', 1)
  assert.equal(cache.get('a'), 1)
  assert.equal(cache.get('b'), undefined)
})

test('no more than the limit is cached', () => {
  const cache = new StatementCache<number>(10)
  for (let number = 0; number < 1_000; number++) {
    cache.set(`text ${number}`, number)
    cache.get(`text ${number - 3}`)
    cache.get('text 0')
    assert.ok(cache.size <= 10)
  }
})

test('entries in constant use stay, unused ones are dropped', () => {
  const cache = new StatementCache<number>(10)
  cache.set('often', 1)
  cache.set('once', 2)
  for (let number = 0; number < 100; number++) {
    cache.set(`text ${number}`, number)
    assert.equal(cache.get('often'), 1)
  }
  assert.equal(cache.get('once'), undefined)
})
