import { type Figure, figureOf } from '../method/statistics.ts'
import { judge, type Target } from '../method/targets.ts'
import { clients, type Clients, Contests } from './contests.ts'
import { ratioOf, type Results } from './results.ts'

const bounds: readonly (readonly [Contests, Clients, atLeast: number])[] = [
  [Contests.BoundCounter, 'prom-client', 10],
  [Contests.BoundCounter, 'prometheus-io', 10],
  [Contests.BoundCounter, 'otel', 10],
  [Contests.BoundHistogram, 'prom-client', 10],
  [Contests.BoundHistogram, 'otel', 5],
  [Contests.ScrapeCounters, 'prom-client', 5],
  [Contests.ScrapeCounters, 'prometheus-io', 5],
  [Contests.ScrapeCounters, 'otel', 5],
  [Contests.FleetScrape, 'prom-client', 4],
  [Contests.FleetScrape, 'prometheus-io', 4],
]

/** Compares the results with every target. */
export function targetsOf(results: Results): readonly Target[] {
  const ratios = bounds.map(([contest, client, atLeast]) => {
    const ratio = ratioOf(results, contest, client)
    return {
      claim: `${contest}: ${clients[client]} takes at least ${atLeast} × as long as ours`,
      measured: `${ratio.median.toFixed(1)} × (${rangeOf(ratio)})`,
      verdict: judge(ratio, (value) => value >= atLeast),
    }
  })
  return [...ratios, clockTarget(results), blockTarget(results)]
}

/** A request is measured by two reads of the clock; everything else may cost as much again. */
function clockTarget(results: Results): Target {
  const ratio = ratioOf(results, Contests.RequestTelemetry, 'clock')
  const { low, high } = ratio.interval
  return {
    claim: 'the telemetry of a request takes at most 2 × as long as two reads of the clock',
    measured: `${(1 / ratio.median).toFixed(2)} × (${(1 / high).toFixed(2)}–${(1 / low).toFixed(2)})`,
    verdict: judge(ratio, (value) => value >= 0.5),
  }
}

function blockTarget({ blocksMs }: Results): Target {
  const blocks = blocksMs.get('ours') ?? []
  const ratio = figureOf(blocks)
  return {
    claim: 'a fleet scrape holds the event loop for at most 5 ms at once',
    measured: `${ratio.median.toFixed(1)} ms (${rangeOf(ratio)}; worst ${Math.max(...blocks).toFixed(1)})`,
    verdict: judge(ratio, (value) => value <= 5),
  }
}

/** The interval of a ratio, as text. */
export function rangeOf({ interval: { low, high } }: Figure): string {
  return `${low.toFixed(1)}–${high.toFixed(1)}`
}
