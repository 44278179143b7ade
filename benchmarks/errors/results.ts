import type { ColdScore } from './cold-contest.ts'
import type { PageScore } from './page-contest.ts'
import { Renderers } from './renderers.ts'
import type { RequestScore } from './request-contest.ts'
import { type Figure, figureOf, median } from '../method/statistics.ts'
import type { Sample, Series } from './turns.ts'

/** Everything one run measured. */
export interface Results {
  readonly pages: readonly PageScore[]
  readonly cold: readonly ColdScore[]
  readonly requests: readonly RequestScore[]
}

/** How a round is read: by the clock or by the processor. */
export type Reading = keyof Sample

/** The median over the rounds of what is made of one round of each series. */
export function pair(
  one: Series,
  other: Series,
  reading: Reading,
  combine: (one: number, other: number) => number,
): Figure {
  return figureOf(
    one.samples.map((sample, round) => {
      return combine(sample[reading], other.samples[round]?.[reading] ?? NaN)
    }),
  )
}

/** The median of a series. */
export function microsOf({ samples }: Series, reading: Reading): number {
  return median(samples.map((sample) => sample[reading]))
}

/** How many times as long the other renderer takes for a warm page as ours does. */
export function pageRatio({ pages }: Results, kind: 'again' | 'edited', reading: Reading): Figure {
  const [ours, youch] = bothOf(pages)
  return pair(youch[kind], ours[kind], reading, (theirs, own) => theirs / own)
}

/** What a failing request costs more than one that answers the same bytes, in microseconds. */
export function failureCost(
  { plain, ...failing }: RequestScore,
  kind: 'silent' | 'logged',
  reading: Reading,
): Figure {
  return pair(failing[kind], plain, reading, (failed, answered) => failed - answered)
}

/** Our score and the other one. @throws Error when one is missing. */
export function bothOf<Score extends { readonly renderer: Renderers }>(
  scores: readonly Score[],
): readonly [ours: Score, youch: Score] {
  const ours = scores.find(({ renderer }) => renderer === Renderers.Ours)
  const youch = scores.find(({ renderer }) => renderer === Renderers.Youch)
  if (ours === undefined || youch === undefined) throw new Error('a renderer was not measured')
  return [ours, youch]
}
