import assert from 'node:assert/strict'
import { hash } from 'node:crypto'
import { test } from 'node:test'
import type { TestContext } from 'node:test'
import { MemoryRateLimits } from '../../src/web/rate-limits/memory-rate-limits.ts'
import { RateAlgorithms } from '../../src/web/rate-limits/rate-limit-store.ts'
import type {
  RateLimitStore,
  RateRule,
  RateLimitResult,
} from '../../src/web/rate-limits/rate-limit-store.ts'

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
