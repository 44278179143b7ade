import { type Figure, figureOf } from '../method/statistics.ts'
import type { Clients, Contests } from './contests.ts'
import type { Score } from './play-contest.ts'

/** The longest block of the event loop that answered a fleet scrape, burst by burst, in ms. */
export type Blocks = ReadonlyMap<Clients, readonly number[]>

/** Everything one run measured. */
export interface Results {
  readonly scores: ReadonlyMap<Contests, Score>
  readonly blocksMs: Blocks
}

/** How many times as long another library takes as ours: its ratio within a round. */
export function ratioOf({ scores }: Results, contest: Contests, client: Clients): Figure {
  const ours = scores.get(contest)?.get('ours') ?? []
  const theirs = scores.get(contest)?.get(client) ?? []
  const ratios = theirs.map((nanoseconds, round) => nanoseconds / (ours[round] ?? NaN))
  return figureOf(ratios)
}
