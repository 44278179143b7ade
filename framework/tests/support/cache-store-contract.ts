import assert from 'node:assert/strict'
import { test } from 'node:test'
import type { TestContext } from 'node:test'
import type { CacheStore } from '../../src/cache/cache-store.ts'

/** Long enough for a slow machine: the clock of Redis cannot be stopped. */
const minute = 60

/** An empty store, and a function that lets time pass. */
export interface OpenedCacheStore {
  readonly store: CacheStore
  readonly pass: (seconds: number) => Promise<void>
}

/** Tests for every cache store. */
export function cacheStoreContract(open: (t: TestContext) => Promise<OpenedCacheStore>): void {
  test('a value exists until it expires, and not longer', async (t) => {
    const { store, pass } = await open(t)
    assert.equal(await store.get('a'), null)
    await store.set('a', '"one"', 10 * minute)
    await pass(9 * minute)
    assert.equal(await store.get('a'), '"one"')
    await pass(minute)
    assert.equal(await store.get('a'), null)
  })

  test('setting a value again sets a new expiry', async (t) => {
    const { store, pass } = await open(t)
    await store.set('a', '"one"', 2 * minute)
    await store.set('a', '"two"', 10 * minute)
    await pass(5 * minute)
    assert.equal(await store.get('a'), '"two"')
    await store.set('a', '"three"', minute)
    await pass(minute)
    assert.equal(await store.get('a'), null)
  })

  test('a value is returned unchanged, whatever it contains', async (t) => {
    const { store } = await open(t)
    const texts = [
      '{"a":[1,null,"é 🎉 \\u0000 \' \\" \\\\"]}',
      '""',
      'null',
      '-0.5',
      '1e+21',
      '007',
    ]
    for (const text of [...texts, JSON.stringify('x'.repeat(1_000_000))]) {
      await store.set('a', text, 10 * minute)
      assert.equal(await store.get('a'), text)
    }
  })

  test('keys are the same only when every character is', async (t) => {
    const { store } = await open(t)
    const keys = ['a', 'A', 'a ', 'ä', 'a\u0308', 'a:b', 'a%', 'a_', "a'", '🎉'.repeat(127)]
    for (const [index, key] of keys.entries()) await store.set(key, `"${index}"`, 10 * minute)
    const found = await Promise.all(keys.map((key) => store.get(key)))
    assert.deepEqual(
      found,
      keys.map((_, index) => `"${index}"`),
    )
  })

  test('deleted values are gone, and deleting a missing one is allowed', async (t) => {
    const { store } = await open(t)
    await store.set('a', '1', 10 * minute)
    await store.set('b', '2', 10 * minute)
    await store.delete('a')
    await store.delete('a')
    assert.deepEqual([await store.get('a'), await store.get('b')], [null, '2'])
  })

  test('a counter starts at 0 and keeps the expiry of its first step', async (t) => {
    const { store, pass } = await open(t)
    assert.equal(await store.increment('n', 1, 10 * minute), 1)
    await pass(9 * minute)
    assert.equal(await store.increment('n', 5, 100 * minute), 6)
    assert.equal(await store.increment('n', -8, 100 * minute), -2)
    assert.equal(await store.get('n'), '-2')
    await pass(minute)
    assert.equal(await store.get('n'), null)
  })

  test('an expired counter starts again, with a new expiry', async (t) => {
    const { store, pass } = await open(t)
    await store.increment('n', 7, 10 * minute)
    await pass(10 * minute)
    assert.equal(await store.increment('n', 2, 20 * minute), 2)
    await pass(19 * minute)
    assert.equal(await store.increment('n', 1, 20 * minute), 3)
    await pass(minute)
    assert.equal(await store.get('n'), null)
  })

  test('an expired value does not block a counter', async (t) => {
    const { store, pass } = await open(t)
    await store.set('n', '"text"', minute)
    await pass(minute)
    assert.equal(await store.increment('n', 1, 10 * minute), 1)
    assert.equal(await store.get('n'), '1')
  })

  test('an integer that was set is incremented and keeps its expiry', async (t) => {
    const { store, pass } = await open(t)
    await store.set('n', '40', 5 * minute)
    assert.equal(await store.increment('n', 2, 100 * minute), 42)
    assert.equal(await store.get('n'), '42')
    await pass(5 * minute)
    assert.equal(await store.get('n'), null)
  })

  test('anything but an integer is not incremented, and stays', async (t) => {
    const { store, pass } = await open(t)
    for (const text of ['"text"', '1.5', '[1]', '{}', 'null', '""', '"7"']) {
      await store.set('n', text, 10 * minute)
      assert.equal(await store.increment('n', 1, 100 * minute), null, text)
      assert.equal(await store.get('n'), text)
    }
    await pass(10 * minute)
    assert.equal(await store.get('n'), null)
  })

  test('a counter can replace a value, and a value a counter', async (t) => {
    const { store } = await open(t)
    await store.set('a', '"text"', 10 * minute)
    await store.set('a', '3', 10 * minute)
    assert.equal(await store.increment('a', 1, 10 * minute), 4)
    await store.set('a', '"text"', 10 * minute)
    assert.equal(await store.get('a'), '"text"')
  })

  test('no concurrent increment is lost, not even the first', async (t) => {
    const { store } = await open(t)
    const steps = Array.from({ length: 200 }, () => store.increment('n', 1, 10 * minute))
    const sums = (await Promise.all(steps)).map(Number)
    assert.deepEqual(
      sums.toSorted((one, other) => one - other),
      Array.from({ length: 200 }, (_, index) => index + 1),
    )
  })
}
