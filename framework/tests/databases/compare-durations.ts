import type { TestContext } from 'node:test'
import { waitFor } from '../support/wait-for.ts'

/**
 * Resolves when the best duration of `work` is at most `factor` times that of `yardstick`. Both are
 * run in turn until that holds: on a busy machine it takes some, and what is too slow never gets there.
 * @throws Error when it does not get there.
 */
export async function compareDurations(
  t: TestContext,
  factor: number,
  yardstick: () => Promise<unknown>,
  work: () => Promise<unknown>,
): Promise<void> {
  let [yardstickMs, workMs] = [Infinity, Infinity]
  let rounds = 0
  await waitFor(`at most ${factor} times the duration`, async () => {
    rounds += 1
    yardstickMs = Math.min(yardstickMs, await durationMs(yardstick))
    workMs = Math.min(workMs, await durationMs(work))
    return rounds >= 5 && workMs <= factor * yardstickMs
  })
  t.diagnostic(`${(workMs / yardstickMs).toFixed(2)} times as long, after ${rounds} rounds`)
}

async function durationMs(work: () => Promise<unknown>): Promise<number> {
  const startMs = performance.now()
  await work()
  return performance.now() - startMs
}
