import { Labels } from './contests.ts'
import type { Score } from './play-contest.ts'
import { type Figure, figureOf, median } from '../method/statistics.ts'

/** CPU time of one entrant against another in the same contest; above 1 the first needs more. */
export interface Comparison extends Figure {
  /** The median over the rounds of the ratio within a round: what the targets are held against. */
  readonly median: number
  /** The ratio of the two medians, as a second opinion. */
  readonly ratioOfMedians: number
}

/** Compares the CPU time per request of two entrants round by round. */
export function compare(score: Score, base: Score): Comparison {
  const ratios = score.samples.map((sample, round) => {
    return sample.microsPerRequest / (base.samples[round]?.microsPerRequest ?? NaN)
  })
  return { ...figureOf(ratios), ratioOfMedians: microsOf(score) / microsOf(base) }
}

/** The median CPU time per request of an entrant. */
export function microsOf(score: Score): number {
  return median(score.samples.map((sample) => sample.microsPerRequest))
}

/** The median throughput of an entrant. */
export function throughputOf(score: Score): number {
  return median(score.samples.map((sample) => sample.requestsPerSecond))
}

/** The score with a label, or `null` when that entrant was left out of the run. */
export function scoreOf(scores: readonly Score[] | undefined, label: string): Score | null {
  return scores?.find((score) => score.entrant.label === label) ?? null
}

/** Our own score in a contest, or `null` when we were left out of the run. */
export function ourScore(scores: readonly Score[] | undefined): Score | null {
  return scoreOf(scores, Labels.Ours)
}

/** The median share of a core that the servers had while under load; near 1 in a quiet run. */
export function coreShare(scores: Iterable<readonly Score[]>): number {
  const samples = [...scores].flat().flatMap((score) => score.samples)
  return median(samples.map((sample) => (sample.microsPerRequest * sample.requestsPerSecond) / 1e6))
}
