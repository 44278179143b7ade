import assert from 'node:assert/strict'
import { createSecretKey, hash } from 'node:crypto'
import { test } from 'node:test'
import type { TestContext } from 'node:test'
import { AccountLimit } from '../../src/http/rate-limits/account-limit.ts'
import { hitTogether } from '../../src/http/rate-limits/hit-together.ts'
import type { LimitedCounter } from '../../src/http/rate-limits/hit-together.ts'
import { MemoryRateLimits } from '../../src/http/rate-limits/memory-rate-limits.ts'
import { RateAlgorithms } from '../../src/http/rate-limits/rate-limit-store.ts'
import type {
  RateLimitStore,
  RateRule,
  RateLimitResult,
} from '../../src/http/rate-limits/rate-limit-store.ts'

import { requestFrom } from '../support/request-from.ts'

/** Opens stores on the same counters, each on its own connection. */
export type OpenStores = (t: TestContext, count: number) => Promise<readonly RateLimitStore[]>

/** A digest as the middleware makes them. */
export function digestOf(name: string): string {
  return hash('sha256', name, 'hex')
}

/** Declares the contract of every store. */
export function rateLimitContract(open: OpenStores): void {
  for (const algorithm of Object.values(RateAlgorithms)) {
    test(`a ${algorithm} window counts like the counter in memory`, async (t) => {
      const [store] = await open(t, 1)
      const model = new MemoryRateLimits()
      const rule: RateRule = { limit: 4, window: 10, algorithm }
      const pause = pauses()
      let now = 1_700_000_000.25
      for (let step = 0; step < 400; step += 1) {
        now += pause()
        const digest = digestOf(`${algorithm} ${step % 3}`)
        assertAlike(await store?.hit(digest, rule, now), model.hit(digest, rule, now), step)
      }
    })

    test(`of concurrent hits on eight connections a ${algorithm} window lets in exactly the limit`, async (t) => {
      const stores = await open(t, 8)
      const rule: RateRule = { limit: 100, window: 60, algorithm }
      const digest = digestOf(`at once ${algorithm}`)
      const hits = Array.from({ length: 800 }, async (_, at) =>
        stores[at % 8]?.hit(digest, rule, 1000),
      )
      const verdicts = await Promise.all(hits)
      assert.equal(verdicts.filter((verdict) => verdict?.allowed === true).length, 100)
      const left = verdicts.flatMap((verdict) => (verdict?.allowed ? [verdict.remaining] : []))
      assert.deepEqual(
        left.toSorted((one, other) => one - other),
        Array.from({ length: 100 }, (_, remaining) => remaining),
      )
    })
  }

  test('at the exact end of a window a fixed one is over, and a sliding one counts in full', async (t) => {
    const [store] = await open(t, 1)
    // Neither whole seconds nor what a binary fraction can hold.
    const start = 1_700_000_000.1
    const expected = { fixed: [true, false, true, true], sliding: [true, false, false, true] }
    for (const algorithm of Object.values(RateAlgorithms)) {
      const rule: RateRule = { limit: 1, window: 10, algorithm }
      const model = new MemoryRateLimits()
      const digest = digestOf(`exact end ${algorithm}`)
      const allowed: (boolean | undefined)[] = []
      for (const [step, now] of [start, start + 5, start + 10, start + 20].entries()) {
        const verdict = await store?.hit(digest, rule, now)
        assertAlike(verdict, model.hit(digest, rule, now), step)
        allowed.push(verdict?.allowed)
      }
      assert.deepEqual(allowed, expected[algorithm], algorithm)
    }
  })

  test('at the exact time that a refusal names, the next hit is allowed', async (t) => {
    const [store] = await open(t, 1)
    for (const algorithm of Object.values(RateAlgorithms)) {
      const rule: RateRule = { limit: 3, window: 10, algorithm }
      const digest = digestOf(`retry ${algorithm}`)
      const start = 1_700_000_000.1
      for (const now of [start, start, start]) await store?.hit(digest, rule, now)
      const refused = await store?.hit(digest, rule, start + 10 - 0.5)
      assert.equal(refused?.allowed, false)
      assert.equal((await store?.hit(digest, rule, refused?.retry ?? 0))?.allowed, true)
    }
  })

  test('a released hit counts no more, on any connection; there is none to release below zero', async (t) => {
    const [store, other] = await open(t, 2)
    const digest = digestOf('released')
    const hit = async (now: number): Promise<unknown> => {
      return (await other?.hit(digest, { limit: 2, window: 60, algorithm: 'fixed' }, now))
        ?.remaining
    }
    await store?.release?.(digest, 1000)
    assert.deepEqual([await hit(1000), await hit(1001)], [1, 0])
    await store?.release?.(digest, 1002)
    assert.equal(await hit(1003), 0)
    for (let release = 0; release < 4; release += 1) await store?.release?.(digest, 1004)
    assert.deepEqual([await hit(1005), await hit(1006)], [1, 0])
    await store?.release?.(digest, 1060)
    assert.equal(await hit(1060), 1)
  })

  test('hits in several counters are counted in all or, in the end, in none', async (t) => {
    const stores = await open(t, 4)
    const rule: RateRule = { limit: 10, window: 60, algorithm: 'fixed', releasable: true }
    const wide = { digest: digestOf('wide'), rule: { ...rule, limit: 25 } }
    const narrow = (name: number): LimitedCounter => ({ digest: digestOf(`narrow ${name}`), rule })
    const allowed = async (count: number): Promise<number[]> => {
      const hits = Array.from({ length: count }, async (_, at) => {
        const store = stores[at % 4] ?? assert.fail()
        return (await hitTogether(store, [narrow(at % 5), wide], 1000)).allowed ? at % 5 : -1
      })
      return (await Promise.all(hits)).filter((name) => name !== -1)
    }
    // Concurrent hits may refuse each other, but never let in too many.
    const first = await allowed(100)
    assert.ok(first.length > 0 && first.length <= 25, `${first.length}`)
    // Now the counters are what was let in: one after the other, exactly the rest is.
    let rest = 0
    for (let name = 0; name < 5; name += 1) {
      const used = first.filter((at) => at === name).length
      for (let hit = used; hit < 10; hit += 1) {
        const store = stores[0] ?? assert.fail()
        const later = { ...wide, digest: digestOf('another wide') }
        rest += (await hitTogether(store, [narrow(name), later], 1030)).allowed ? 1 : 0
      }
    }
    assert.equal(rest, 25)
  })

  test('of concurrent wrong passwords as many are checked as the limit allows, and right ones count nothing', async (t) => {
    const stores = await open(t, 8)
    const key = createSecretKey(Buffer.alloc(32, 1))
    const limits = stores.map(
      (store) => new AccountLimit({ name: 'test', limit: 20, window: 60, store, key }),
    )
    const request = await requestFrom('192.0.2.1')
    const attempt = async (at: number, account: string, isRight: boolean): Promise<boolean> => {
      let isChecked = false
      const check = async (): Promise<boolean> => ((isChecked = true), isRight)
      await limits[at % 8]?.run(request, account, check).catch(() => {})
      return isChecked
    }
    const guesses = Array.from({ length: 100 }, (_, at) => attempt(at, 'ada', false))
    assert.equal((await Promise.all(guesses)).filter(Boolean).length, 20)
    assert.equal(await attempt(0, 'ada', true), false)
    for (let round = 0; round < 5; round += 1) {
      const rights = Array.from({ length: 8 }, (_, at) => attempt(at, 'grace', true))
      assert.equal((await Promise.all(rights)).filter(Boolean).length, 8)
    }
    const wrong = Array.from({ length: 40 }, (_, at) => attempt(at, 'grace', false))
    assert.equal((await Promise.all(wrong)).filter(Boolean).length, 20)
  })

  test('counters started concurrently on eight connections do not interfere', async (t) => {
    const stores = await open(t, 8)
    const rule: RateRule = { limit: 2, window: 60, algorithm: 'fixed' }
    const names = Array.from({ length: 40 }, (_, name) => digestOf(`begins ${name}`))
    const hits = stores.flatMap((store) => names.map(async (name) => store.hit(name, rule, 1000)))
    const verdicts = await Promise.all(hits)
    assert.equal(verdicts.filter(({ allowed }) => allowed).length, 2 * names.length)
  })
}

function assertAlike(
  verdict: RateLimitResult | undefined,
  expected: RateLimitResult,
  step: number,
): void {
  const { allowed, remaining, reset = 0, retry = 0 } = verdict ?? {}
  assert.deepEqual([step, allowed, remaining], [step, expected.allowed, expected.remaining])
  assert.ok(Math.abs(reset - expected.reset) < 1e-6, `step ${step}: reset ${reset}`)
  assert.ok(Math.abs(retry - expected.retry) < 1e-6, `step ${step}: retry ${retry}`)
}

/** Pauses from nothing to more than two windows, the same ones in each run. */
function pauses(): () => number {
  let state = 7
  return () => {
    state = (state * 48_271) % 2_147_483_647
    const part = state / 2_147_483_647
    return part < 0.05 ? 25 * part * 20 : part < 0.5 ? 0 : part * 3
  }
}
