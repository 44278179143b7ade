import assert from 'node:assert/strict'
import { test } from 'node:test'
import { createThrowables } from '../../errors/throwables/throwables.ts'
import { ConfigurationError } from '../../base/errors.ts'
import { MemoryRateLimits } from './memory-rate-limits.ts'
import type { RateRule, RateLimitResult } from './rate-limit-store.ts'
import { SharedRateLimits } from './shared-rate-limits.ts'
import type { SharedRateLimitsOptions } from './shared-rate-limits.ts'

const rule: RateRule = { limit: 2, window: 60, algorithm: 'fixed' }
const once: RateRule = { ...rule, limit: 1 }

/** A store that fails when told, and what became of it. */
class Shaky extends SharedRateLimits {
  readonly memory = new MemoryRateLimits()
  readonly released: string[] = []
  failure: Error | null = null
  /** For the next counts, in place of what is counted. */
  results: Promise<RateLimitResult>[] = []
  asked = 0

  protected override async count(
    digest: string,
    of: RateRule,
    now: number,
  ): Promise<RateLimitResult> {
    this.asked += 1
    if (this.failure !== null) throw this.failure
    return this.results.shift() ?? this.memory.hit(digest, of, now)
  }

  protected override async uncount(digest: string, now: number): Promise<void> {
    if (this.failure !== null) throw this.failure
    this.released.push(digest)
    this.memory.release(digest, now)
  }
}

interface Arranged {
  readonly store: Shaky
  readonly reported: Error[]
  readonly passMs: (ms: number) => void
  readonly hit: () => Promise<boolean>
}

function arranged(): Arranged {
  const reported: Error[] = []
  const throwables = createThrowables()
  throwables.reporters.push((error) => reported.push(error))
  let nowMs = 0
  const options: SharedRateLimitsOptions = { throwables, nowMs: () => nowMs }
  const store = new Shaky(options)
  return {
    store,
    reported,
    passMs: (ms) => {
      nowMs += ms
    },
    hit: async () => (await store.hit('a', rule, 1000)).allowed,
  }
}

test('while the store fails, this process counts by itself and reports it once', async () => {
  const { store, reported, hit } = arranged()
  store.failure = new Error('gone')
  assert.deepEqual([await hit(), await hit(), await hit()], [true, true, false])
  assert.equal(reported.length, 1)
  assert.match(String(reported[0]), /the store of rate limits does not answer/)
  assert.equal(reported[0]?.cause, store.failure)
})

test('one hit a second tries the store, and the first that is answered ends the outage', async () => {
  const { store, reported, passMs, hit } = arranged()
  store.failure = new Error('gone')
  await Promise.all([hit(), hit()])
  assert.equal(store.asked, 2)
  await hit()
  passMs(999)
  await hit()
  assert.equal(store.asked, 2)
  passMs(1)
  await Promise.all([hit(), hit()])
  assert.equal(store.asked, 3)
  store.failure = null
  passMs(1000)
  assert.equal(await hit(), true)
  assert.equal(await hit(), true)
  assert.equal(await hit(), false)
  assert.equal(store.asked, 6)
  assert.equal(reported.length, 1)
})

test('the next outage is reported again and starts with a new count', async () => {
  const { store, reported, passMs, hit } = arranged()
  for (const failure of [new Error('first'), new Error('second')]) {
    store.failure = failure
    assert.deepEqual([await hit(), await hit(), await hit()], [true, true, false])
    store.failure = null
    store.memory.clear()
    passMs(1000)
    assert.equal(await hit(), true)
  }
  assert.equal(reported.length, 2)
})

test('what waiting does not mend is thrown', async () => {
  const { store, reported, hit } = arranged()
  store.failure = new ConfigurationError('E_RATE_LIMIT', 'no table')
  await assert.rejects(hit(), { code: 'E_RATE_LIMIT' })
  assert.equal(reported.length, 0)
})

test('the failure of a call made before the recovery is not a new outage', async () => {
  const { store, reported, passMs } = arranged()
  const late = Promise.withResolvers<RateLimitResult>()
  store.results = [late.promise, Promise.reject(new Error('gone'))]
  const waiting = store.hit('a', rule, 1000)
  await store.hit('b', rule, 1000)
  passMs(1000)
  await store.hit('b', rule, 1000)
  late.reject(new Error('timed out'))
  assert.equal((await waiting).allowed, true)
  assert.equal(reported.length, 1)
})

test('a hit is released where it was counted, and a release that fails is ignored', async () => {
  const { store, hit } = arranged()
  await store.release('b', 1000)
  store.failure = new Error('gone')
  await store.release('c', 1000)
  assert.deepEqual([await hit(), await hit(), await hit()], [true, true, false])
  await store.release('a', 1000)
  assert.equal(await hit(), true)
  assert.deepEqual(store.released, ['b'])
})

test('the store is not asked again before the time its refusal names', async () => {
  const { store } = arranged()
  await store.hit('a', once, 1000)
  const first = await store.hit('a', once, 1010)
  for (let now = 1011; now < 1060; now += 1) {
    assert.deepEqual(store.hit('a', once, now), first, 'without a promise')
  }
  assert.equal(store.asked, 2)
  assert.equal((await store.hit('a', once, 1060)).allowed, true)
  assert.equal(store.asked, 3)
})

test('a refusal that is cached ends no outage', async () => {
  const { store, reported, hit } = arranged()
  await store.hit('r', once, 1000)
  await store.hit('r', once, 1000)
  store.failure = new Error('gone')
  await hit()
  assert.equal((await store.hit('r', once, 1001)).allowed, false)
  await hit()
  assert.equal(store.asked, 3)
  assert.equal(reported.length, 1)
})

test('a flood of refused names does not pile up: the store is asked for those that are forgotten', async () => {
  const { store } = arranged()
  for (let name = 0; name <= 10_000; name += 1) {
    await store.hit(`${name}`, once, 1000)
    await store.hit(`${name}`, once, 1000)
  }
  const before = store.asked
  assert.equal((await store.hit('0', once, 1001)).allowed, false)
  assert.equal(store.asked, before + 1)
})

test('a refusal is forgotten when a hit is released, and soon if hits usually are', async () => {
  const { store } = arranged()
  await store.hit('a', once, 1000)
  await store.hit('a', once, 1001)
  await store.release('a', 1001)
  await store.hit('a', once, 1002)
  assert.equal(store.asked, 3)
  const releasable = { ...once, releasable: true }
  await store.hit('b', once, 1000)
  for (const now of [1000, 1000.9, 1001, 1001.9]) await store.hit('b', releasable, now)
  assert.equal(store.asked, 6)
})
