import assert from 'node:assert/strict'
import { describe, test } from 'node:test'
import { cacheStoreContract } from '../../tests/support/cache-store-contract.ts'
import { InvalidArgumentException } from '../base/errors.ts'
import { MemoryCache } from './memory-cache.ts'
import type { MemoryCacheOptions } from './memory-cache.ts'

describe('a cache in memory', () => {
  cacheStoreContract(async () => {
    let now = 1_000_000
    const pass = async (seconds: number): Promise<void> => void (now += seconds)
    return { store: new MemoryCache({ clock: () => now }), pass }
  })
})

async function keysIn(cache: MemoryCache, letters: string): Promise<string> {
  const keys = letters.split('')
  const found = await Promise.all(keys.map((key) => cache.get(key)))
  return keys.filter((_, index) => found[index] !== null).join('')
}

test('a full cache drops the least recently used entries', async () => {
  const cache = new MemoryCache({ entries: 3 })
  for (const key of 'abc') await cache.set(key, '1', 10)
  await cache.get('a')
  await cache.set('d', '1', 10)
  assert.equal(await keysIn(cache, 'abcd'), 'acd')
  await cache.increment('c', 1, 10)
  await cache.set('e', '1', 10)
  await cache.set('f', '1', 10)
  assert.equal(await keysIn(cache, 'abcdef'), 'cef')
})

test('keys and texts together stay within so many characters', async () => {
  const cache = new MemoryCache({ characters: 20 })
  for (const key of 'abc') await cache.set(key, '12345', 10)
  assert.equal(await keysIn(cache, 'abc'), 'abc')
  await cache.set('c', '123456789', 10)
  assert.equal(await keysIn(cache, 'abc'), 'bc')
  await cache.delete('b')
  await cache.set('d', '123456789', 10)
  assert.equal(await keysIn(cache, 'abcd'), 'cd')
})

test('a text larger than the whole cache is not kept, and takes its older self along', async () => {
  const cache = new MemoryCache({ characters: 20 })
  await cache.set('a', '1', 10)
  await cache.set('a', '1'.repeat(20), 10)
  assert.equal(await cache.get('a'), null)
  await cache.set('b', '1'.repeat(19), 10)
  assert.equal(await cache.get('b'), '1'.repeat(19))
})

test('fractions of a second count', async () => {
  let now = 0.9
  const cache = new MemoryCache({ clock: () => now })
  await cache.set('a', '1', 1)
  now = 1.89
  assert.equal(await cache.get('a'), '1')
  now = 1.9
  assert.equal(await cache.get('a'), null)
})

test('an expired entry is dropped when it is read', async () => {
  let now = 0
  const cache = new MemoryCache({ characters: 20, clock: () => now })
  await cache.set('a', '123456789', 1)
  now = 1
  assert.equal(await cache.get('a'), null)
  await cache.set('b', '123456789', 10)
  await cache.set('c', '123456789', 10)
  assert.equal(await keysIn(cache, 'abc'), 'bc')
})

test('limits are whole numbers from 1', () => {
  const refused: MemoryCacheOptions[] = [{ entries: 0 }, { entries: 1.5 }, { characters: -1 }]
  for (const options of [...refused, { characters: Number.NaN }]) {
    assert.throws(() => new MemoryCache(options), InvalidArgumentException)
  }
})
