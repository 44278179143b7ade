import { type Target, Verdicts } from '../http/targets.ts'
import { clients, type Clients, Contests } from './contests.ts'
import { type Ratio, ratioOf, type Results } from './results.ts'

const bounds: readonly (readonly [Contests, Clients, atLeast: number])[] = [
  [Contests.BoundCounter, 'prom-client', 10],
  [Contests.BoundCounter, 'prometheus-io', 10],
  [Contests.BoundCounter, 'otel', 10],
  [Contests.BoundHistogram, 'prom-client', 10],
  [Contests.BoundHistogram, 'otel', 5],
  [Contests.ScrapeCounters, 'prom-client', 5],
  [Contests.ScrapeCounters, 'prometheus-io', 5],
  [Contests.ScrapeCounters, 'otel', 5],
]

/** Holds the results against every target. Nothing here is written by hand. */
export function targetsOf(results: Results): readonly Target[] {
  return bounds.map(([contest, client, atLeast]) => {
    const ratio = ratioOf(results, contest, client)
    return {
      claim: `${contest}: ${clients[client]} takes at least ${atLeast} × as long as ours`,
      measured: `${ratio.median.toFixed(1)} × (${rangeOf(ratio)})`,
      verdict: judge(ratio, (value) => value >= atLeast),
    }
  })
}

/** The interval of a ratio, as text. */
export function rangeOf({ interval: { low, high } }: Ratio): string {
  return `${low.toFixed(1)}–${high.toFixed(1)}`
}

function judge({ median, interval }: Ratio, holds: (value: number) => boolean): Verdicts {
  const certain = interval.trusted && holds(interval.low) === holds(interval.high)
  if (holds(median)) return certain ? Verdicts.Met : Verdicts.MetUncertain
  return certain ? Verdicts.Missed : Verdicts.MissedUncertain
}
