import assert from 'node:assert/strict'
import { hash } from 'node:crypto'
import { test } from 'node:test'
import type { TestContext } from 'node:test'
import { MemoryRateLimits } from '../../src/web/rate-limits/memory-rate-limits.ts'
import { RateAlgorithms } from '../../src/web/rate-limits/rate-limit-store.ts'
import type {
  RateLimitStore,
  RateRule,
  RateVerdict,
} from '../../src/web/rate-limits/rate-limit-store.ts'

/** Opens stores on the same counters, which nobody else has, each on a connection of its own. */
export type OpenStores = (t: TestContext, count: number) => Promise<readonly RateLimitStore[]>

/** A digest as the middleware makes them. */
export function digestOf(name: string): string {
  return hash('sha256', name, 'hex')
}

/** Declares what every store promises. */
export function rateLimitContract(open: OpenStores): void {
  for (const algorithm of Object.values(RateAlgorithms)) {
    test(`a ${algorithm} window counts as the counter in memory does`, async (t) => {
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

    test(`of hits at once on eight connections a ${algorithm} window lets in exactly the limit`, async (t) => {
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

  test("counters that begin at once on eight connections do not stand in each other's way", async (t) => {
    const stores = await open(t, 8)
    const rule: RateRule = { limit: 2, window: 60, algorithm: 'fixed' }
    const names = Array.from({ length: 40 }, (_, name) => digestOf(`begins ${name}`))
    const hits = stores.flatMap((store) => names.map(async (name) => store.hit(name, rule, 1000)))
    const verdicts = await Promise.all(hits)
    assert.equal(verdicts.filter(({ allowed }) => allowed).length, 2 * names.length)
  })
}

function assertAlike(verdict: RateVerdict | undefined, expected: RateVerdict, step: number): void {
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
