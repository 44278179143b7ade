import { type Figure, figureOf, median } from '../method/statistics.ts'
import type { Sample } from './contestant.ts'
import type { Clients, Contests, Databases, Suites } from './contests.ts'
import type { Scores } from './play-rounds.ts'

/** Everything one run measured. */
export interface Results {
  readonly suite: Suites
  readonly scores: ReadonlyMap<Databases, Scores>
}

/** How a page is read: by the clock or by the processor. */
export type Reading = keyof Sample

/** The samples of a library in a contest; none when it took no part. */
export function samplesOf(
  { scores }: Results,
  database: Databases,
  contest: Contests,
  client: Clients,
): readonly Sample[] {
  return scores.get(database)?.get(contest)?.get(client) ?? []
}

/** The median over the rounds of the ratio within a round; null when one of them took no part. */
export function ratioOf(
  samples: readonly Sample[],
  base: readonly Sample[],
  reading: Reading,
): Figure | null {
  if (samples.length === 0 || base.length === 0) return null
  const ratios = samples.map((sample, round) => sample[reading] / (base[round]?.[reading] ?? NaN))
  return figureOf(ratios)
}

/** The median over the rounds. */
export function microsOf(samples: readonly Sample[], reading: Reading): number {
  return median(samples.map((sample) => sample[reading]))
}
