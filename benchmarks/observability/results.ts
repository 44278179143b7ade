import { type Figure, figureOf } from '../method/statistics.ts'
import type { Sample } from '../sessions/play-contest.ts'
import type { Scores } from './play-contest.ts'

/** Everything one run measured: the scores by contest. */
export type Results = ReadonlyMap<string, Scores>

/** The samples of an entrant; none when it took no part. */
export function samplesOf(results: Results, contest: string, label: string): readonly Sample[] {
  return results.get(contest)?.get(label)?.samples ?? []
}

/** CPU of a request with something minus that without it, in each round. */
export function overheads(measured: readonly Sample[], base: readonly Sample[]): readonly number[] {
  return measured.flatMap(({ microsPerRequest }, round) => {
    const alone = base[round]?.microsPerRequest
    return alone === undefined ? [] : [microsPerRequest - alone]
  })
}

/** An overhead as microseconds; null when one of the two took no part. */
export function overheadOf(measured: readonly Sample[], base: readonly Sample[]): Figure | null {
  return figureOrNull(overheads(measured, base))
}

/** An overhead as a share of the CPU without it. */
export function shareOf(measured: readonly Sample[], base: readonly Sample[]): Figure | null {
  return figureOrNull(
    overheads(measured, base).map((micros, round) => {
      return micros / (base[round]?.microsPerRequest ?? NaN)
    }),
  )
}

/** How many times as much one overhead is as another, in the same rounds. */
export function timesOf(theirs: readonly number[], ours: readonly number[]): Figure | null {
  const ratios = theirs.flatMap((micros, round) => {
    const own = ours[round]
    // What costs nothing measurable is as cheap as can be: the ratio has no bound.
    return own === undefined ? [] : [own <= 0 ? Infinity : micros / own]
  })
  return figureOrNull(ratios)
}

function figureOrNull(values: readonly number[]): Figure | null {
  return values.length === 0 ? null : figureOf(values)
}
