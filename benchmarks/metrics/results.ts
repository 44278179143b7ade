import { type Interval, median, medianInterval } from '../http/statistics.ts'
import type { Clients, Contests } from './contests.ts'
import type { Score } from './play-contest.ts'

/** The longest block of the event loop that answered a fleet scrape, burst by burst, in ms. */
export type Blocks = ReadonlyMap<Clients, readonly number[]>

/** Everything one run measured. */
export interface Results {
  readonly scores: ReadonlyMap<Contests, Score>
  readonly blocksMs: Blocks
}

/** How many times as long another library takes as ours. */
export interface Ratio {
  /** The median over the rounds of the ratio within a round. */
  readonly median: number
  readonly interval: Interval
}

/** Compares a library with ours, round by round. */
export function ratioOf({ scores }: Results, contest: Contests, client: Clients): Ratio {
  const ours = scores.get(contest)?.get('ours') ?? []
  const theirs = scores.get(contest)?.get(client) ?? []
  const ratios = theirs.map((nanoseconds, round) => nanoseconds / (ours[round] ?? NaN))
  return { median: median(ratios), interval: medianInterval(ratios) }
}
