import assert from 'node:assert/strict'
import { test } from 'node:test'
import { createThrowables } from '../../errors/throwables/throwables.ts'
import { ConfigurationError } from '../../base/errors.ts'
import { Fallback } from './fallback.ts'
import { MemoryRateLimits } from './memory-rate-limits.ts'
import type { RateLimitStore, RateRule, RateLimitResult } from './rate-limit-store.ts'

const rule: RateRule = { limit: 2, window: 60, algorithm: 'fixed' }

/** A store that fails when told, and what became of it. */
class Shaky implements RateLimitStore {
  readonly memory = new MemoryRateLimits()
  failure: Error | null = null
  isLater = true
  asked = 0

  hit(digest: string, of: RateRule, now: number): RateLimitResult | Promise<RateLimitResult> {
    this.asked += 1
    const { failure } = this
    if (failure !== null && this.isLater) return Promise.reject(failure)
    if (failure !== null) throw failure
    return this.memory.hit(digest, of, now)
  }
}

interface Arranged {
  readonly store: Shaky
  readonly reported: Error[]
  readonly passMs: (ms: number) => void
  readonly hit: () => Promise<boolean>
}

function arranged(): Arranged {
  const store = new Shaky()
  const reported: Error[] = []
  const throwables = createThrowables()
  throwables.reporters.push((error) => reported.push(error))
  let nowMs = 0
  const fallback = new Fallback(store, { throwables, nowMs: () => nowMs })
  return {
    store,
    reported,
    passMs: (ms) => {
      nowMs += ms
    },
    hit: async () => (await fallback.hit('a', rule, 1000)).allowed,
  }
}

for (const isLater of [true, false]) {
  const how = isLater ? 'rejects' : 'throws'
  test(`while the store ${how}, this process counts by itself and reports it once`, async () => {
    const { store, reported, hit } = arranged()
    store.isLater = isLater
    store.failure = new Error('gone')
    assert.deepEqual([await hit(), await hit(), await hit()], [true, true, false])
    assert.equal(reported.length, 1)
    assert.match(String(reported[0]), /the store of rate limits does not answer/)
    assert.equal(reported[0]?.cause, store.failure)
  })
}

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
  store.isLater = false
  await assert.rejects(hit(), { code: 'E_RATE_LIMIT' })
  assert.equal(reported.length, 0)
})

test('the failure of a call made before the recovery is not a new outage', async () => {
  const late = Promise.withResolvers<RateLimitResult>()
  const answers = [late.promise, Promise.reject(new Error('gone'))]
  const memory = new MemoryRateLimits()
  const store: RateLimitStore = {
    hit: (digest, of, now) => answers.shift() ?? memory.hit(digest, of, now),
  }
  const reported: Error[] = []
  const throwables = createThrowables()
  throwables.reporters.push((error) => reported.push(error))
  let nowMs = 0
  const fallback = new Fallback(store, { throwables, nowMs: () => nowMs })
  const waiting = fallback.hit('a', rule, 1000)
  await fallback.hit('b', rule, 1000)
  nowMs += 1000
  await fallback.hit('b', rule, 1000)
  late.reject(new Error('timed out'))
  assert.equal((await waiting).allowed, true)
  assert.equal(reported.length, 1)
})

test('a hit is released where it was counted, and a release that fails is ignored', async () => {
  const released: string[] = []
  const memory = new MemoryRateLimits()
  const store: RateLimitStore = {
    hit: (...hit) => (failure === null ? memory.hit(...hit) : Promise.reject(failure)),
    release: (digest) => (failure === null ? void released.push(digest) : Promise.reject(failure)),
  }
  let failure: Error | null = null
  const fallback = new Fallback(store, { throwables: createThrowables() })
  await fallback.release('a', 1000)
  failure = new Error('gone')
  await fallback.release('b', 1000)
  const hit = async (): Promise<boolean> => (await fallback.hit('c', rule, 1000)).allowed
  assert.deepEqual([await hit(), await hit(), await hit()], [true, true, false])
  await fallback.release('c', 1000)
  assert.equal(await hit(), true)
  assert.deepEqual(released, ['a'])
})
