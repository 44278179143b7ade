import { readFile } from 'node:fs/promises'
import { monitorEventLoopDelay } from 'node:perf_hooks'
import { setTimeout as sleep } from 'node:timers/promises'
import { shuffled } from '../method/shuffled.ts'
import { Hashers, type Verify } from './hashers.ts'
import type { Options } from './options.ts'

/** What one burst of logins showed. */
export interface Burst {
  readonly hashesPerSecond: number
  /** The longest that reading a small file took while they were hashed. */
  readonly fileMs: number
  /** The 99th percentile of the delay of the event loop. */
  readonly delayMs: number
}

/** The bursts of each, round by round. */
export type Results = Readonly<Record<Hashers, readonly Burst[]>>

/** Gives each hasher a burst of logins in every round, in an order that is shuffled each time. */
export async function playRounds(
  verify: Readonly<Record<Hashers, Verify>>,
  { rounds, warmUpRounds, logins }: Options,
): Promise<Results> {
  const results: Record<Hashers, Burst[]> = { ours: [], bare: [] }
  for (let round = 1 - warmUpRounds; round <= rounds; round += 1) {
    console.error(round < 1 ? 'warm-up' : `round ${round} of ${rounds}`)
    for (const hasher of shuffled(Object.values(Hashers))) {
      const burst = await play(verify[hasher], logins)
      if (round >= 1) results[hasher].push(burst)
    }
  }
  return results
}

/** @throws Error when a login is found wrong: then less than a hash was computed. */
async function play(verify: Verify, logins: number): Promise<Burst> {
  await sleep(50)
  const delays = monitorEventLoopDelay({ resolution: 1 })
  const state = { hashing: true }
  const files = readFiles(state)
  delays.enable()
  const began = performance.now()
  const verdicts = await Promise.all(Array.from({ length: logins }, verify))
  const seconds = (performance.now() - began) / 1000
  delays.disable()
  state.hashing = false
  if (verdicts.includes(false)) throw new Error('a right password was found wrong')
  return {
    hashesPerSecond: logins / seconds,
    // Not the middle one: while a file waits no other is read, so slow ones are few.
    fileMs: Math.max(...(await files)),
    delayMs: delays.percentile(99) / 1e6,
  }
}

async function readFiles(state: { readonly hashing: boolean }): Promise<readonly number[]> {
  const took: number[] = []
  while (state.hashing) {
    await sleep(5)
    const began = performance.now()
    await readFile(import.meta.filename)
    took.push(performance.now() - began)
  }
  return took
}
