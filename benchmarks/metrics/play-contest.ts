import { shuffled } from '../method/shuffled.ts'
import type { Clients, Contests } from './contests.ts'
import type { Options } from './options.ts'

/** A participant of a contest. */
export interface Player {
  readonly client: Clients
  /** Nanoseconds that one piece of work takes on average. */
  work(contest: Contests, times: number): Promise<number>
}

/** What the libraries needed for one piece of work, round by round, in nanoseconds. */
export type Score = ReadonlyMap<Clients, readonly number[]>

/**
 * Lets the libraries take turns, one burst each, in an order that is shuffled each round: a change
 * in the machine's load affects all of them equally.
 */
export async function playContest(
  contest: Contests,
  contestants: readonly Player[],
  { rounds, burstMs }: Options,
): Promise<Score> {
  const times = new Map<Player, number>()
  const samples = new Map<Clients, number[]>()
  for (const contestant of contestants) {
    console.error(`${contest}: ${contestant.client} warms up`)
    times.set(contestant, await warmUp(contestant, contest, burstMs))
    samples.set(contestant.client, [])
  }
  for (let round = 1; round <= rounds; round++) {
    console.error(`${contest}: round ${round} of ${rounds}`)
    for (const contestant of shuffled(contestants)) {
      const nanoseconds = await contestant.work(contest, times.get(contestant) ?? 1)
      samples.get(contestant.client)?.push(nanoseconds)
    }
  }
  return samples
}

/** Warms up V8, and determines how often the work fits into a burst. */
async function warmUp(contestant: Player, contest: Contests, burstMs: number): Promise<number> {
  let times = 1
  for (;;) {
    const nanoseconds = await contestant.work(contest, times)
    if (nanoseconds * times >= burstMs * 1e6) break
    times *= 2
  }
  const nanoseconds = await contestant.work(contest, times)
  return Math.max(1, Math.round((burstMs * 1e6) / nanoseconds))
}
