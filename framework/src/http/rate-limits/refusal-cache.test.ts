import assert from 'node:assert/strict'
import { test } from 'node:test'
import { MemoryRateLimits } from './memory-rate-limits.ts'
import type { RateLimitStore, RateRule } from './rate-limit-store.ts'
import { RefusalCache } from './refusal-cache.ts'

const rule: RateRule = { limit: 1, window: 60, algorithm: 'fixed' }

/** A store that tells how often it was asked. */
function counted(isLater: boolean): { refusals: RefusalCache; asked: () => number } {
  const store = new MemoryRateLimits()
  let asked = 0
  const hit: RateLimitStore['hit'] = (...of) => {
    asked += 1
    const verdict = store.hit(...of)
    return isLater ? Promise.resolve(verdict) : verdict
  }
  return { refusals: new RefusalCache(hit), asked: () => asked }
}

for (const isLater of [false, true]) {
  const when = isLater ? 'later' : 'at once'
  test(`a store that answers ${when} is not asked again before the time its refusal names`, async () => {
    const { refusals, asked } = counted(isLater)
    await refusals.hit('a', rule, 1000)
    const first = await refusals.hit('a', rule, 1010)
    for (let now = 1011; now < 1060; now += 1) {
      assert.deepEqual(await refusals.hit('a', rule, now), first)
    }
    assert.equal(asked(), 2)
    assert.equal((await refusals.hit('a', rule, 1060)).allowed, true)
    assert.equal(asked(), 3)
  })
}

test('a hit that was not refused goes to the store', async () => {
  const { refusals, asked } = counted(false)
  await refusals.hit('a', rule, 1000)
  await refusals.hit('a', rule, 1001)
  assert.equal((await refusals.hit('b', rule, 1001)).allowed, true)
  assert.equal(asked(), 3)
})

test('a flood of refused names does not pile up: the store is asked for those that are forgotten', async () => {
  const { refusals, asked } = counted(false)
  for (let name = 0; name <= 10_000; name += 1) {
    await refusals.hit(`${name}`, rule, 1000)
    await refusals.hit(`${name}`, rule, 1000)
  }
  const before = asked()
  assert.equal((await refusals.hit('0', rule, 1001)).allowed, false)
  assert.equal(asked(), before + 1)
})

test('a refusal is forgotten when a hit is released, and soon if hits usually are', async () => {
  const { refusals, asked } = counted(false)
  await refusals.hit('a', rule, 1000)
  await refusals.hit('a', rule, 1001)
  await refusals.release('a', 1001)
  await refusals.hit('a', rule, 1002)
  assert.equal(asked(), 3)
  const releasable = { ...rule, releasable: true }
  await refusals.hit('b', rule, 1000)
  for (const now of [1000, 1000.9, 1001, 1001.9]) await refusals.hit('b', releasable, now)
  assert.equal(asked(), 6)
})
