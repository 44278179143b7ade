import { type Interval, median, medianInterval } from '../http/statistics.ts'
import type { Clients, Contests } from './contests.ts'
import type { Score } from './play-contest.ts'

/** Everything one run measured. */
export type Results = ReadonlyMap<Contests, Score>

/** How many times as long another library takes as ours. */
export interface Ratio {
  /** The median over the rounds of the ratio within a round. */
  readonly median: number
  readonly interval: Interval
}

/** Compares a library with ours, round by round. */
export function ratioOf(results: Results, contest: Contests, client: Clients): Ratio {
  const ours = results.get(contest)?.get('ours') ?? []
  const theirs = results.get(contest)?.get(client) ?? []
  const ratios = theirs.map((nanoseconds, round) => nanoseconds / (ours[round] ?? NaN))
  return { median: median(ratios), interval: medianInterval(ratios) }
}
