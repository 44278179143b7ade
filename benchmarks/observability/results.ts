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

/**
 * How many times as much one overhead is as another. They were measured in different numbers of rounds, so the
 * medians are compared; the interval is as wide as both of theirs allow.
 */
export function timesOf(theirs: readonly number[], ours: readonly number[]): Figure | null {
  if (theirs.length === 0 || ours.length === 0) return null
  const their = figureOf(theirs)
  const own = figureOf(ours)
  // What costs nothing measurable is as cheap as can be: the ratio has no bound.
  const times = (one: number, other: number): number => (other <= 0 ? Infinity : one / other)
  return {
    median: times(their.median, own.median),
    interval: {
      low: times(their.interval.low, own.interval.high),
      high: times(their.interval.high, own.interval.low),
      trusted: their.interval.trusted && own.interval.trusted,
    },
  }
}

function figureOrNull(values: readonly number[]): Figure | null {
  return values.length === 0 ? null : figureOf(values)
}
