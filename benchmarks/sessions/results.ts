import { type Figure, figureOf, median } from '../method/statistics.ts'
import type { Sample, Scores } from './play-contest.ts'

/** Everything one run measured: the scores by contest. */
export type Results = ReadonlyMap<string, Scores>

/** The samples of an entrant; none when it took no part. */
export function samplesOf(results: Results, contest: string, label: string): readonly Sample[] {
  return results.get(contest)?.get(label) ?? []
}

/**
 * CPU of one entrant divided by that of another in the same round, median over the rounds; null when
 * one of them took no part.
 */
export function ratioOf(samples: readonly Sample[], base: readonly Sample[]): Figure | null {
  if (samples.length === 0 || base.length === 0) return null
  return figureOf(
    samples.map(({ microsPerRequest }, round) => {
      return microsPerRequest / (base[round]?.microsPerRequest ?? NaN)
    }),
  )
}

/** The median CPU time per request. */
export function microsOf(samples: readonly Sample[]): number {
  return median(samples.map(({ microsPerRequest }) => microsPerRequest))
}

/** The median throughput. */
export function throughputOf(samples: readonly Sample[]): number {
  return median(samples.map(({ requestsPerSecond }) => requestsPerSecond))
}

/** The median share of a core that a server had while under load. */
export function coreShareOf(samples: readonly Sample[]): number {
  return median(
    samples.map(
      ({ microsPerRequest, requestsPerSecond }) => (microsPerRequest * requestsPerSecond) / 1e6,
    ),
  )
}
