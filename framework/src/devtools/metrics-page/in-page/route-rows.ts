import { formatValue } from './format-value.ts'
import { quantile } from './quantile.ts'
import type { RankedRow } from './ranking.ts'
import { addGrowths, routeDurations, routeName } from './route-growth.ts'
import type { RouteGrowth } from './route-growth.ts'
import { seriesOf } from './sample.ts'
import type { Sample } from './sample.ts'
import type { Step } from './step.ts'

/** Every route that was ever used: its rate, percentiles and share of failures over the weighted steps. */
export function routeRows(
  sample: Sample,
  steps: readonly Step[],
  weights: readonly number[],
): RankedRow[] {
  let seconds = 0
  const totals = new Map<string, RouteGrowth>()
  for (const [at, step] of steps.entries()) {
    const weight = weights[at] ?? 0
    seconds += step.seconds * weight
    for (const [name, grown] of step.routes) {
      totals.set(name, addGrowths(totals.get(name), grown, weight))
    }
  }
  const names = new Set(seriesOf(sample, routeDurations).map(routeName))
  return [...names].map((name) => routeRow(name, totals.get(name), seconds))
}

/** One row; its numbers are unknown before the second sample. */
export function routeRow(name: string, grown: RouteGrowth | undefined, seconds: number): RankedRow {
  const buckets = grown?.buckets ?? new Map<string, number>()
  const count = buckets.get('+Inf') ?? 0
  const rate = seconds > 0 ? count / seconds : null
  const failed = count > 0 ? (grown?.failed ?? 0) / count : null
  const [p50, p99] = [quantile(buckets, 0.5), quantile(buckets, 0.99)]
  return {
    texts: [
      name,
      formatValue(rate, 'per-second'),
      formatValue(p50, 'seconds'),
      formatValue(p99, 'seconds'),
      formatValue(failed, 'share'),
    ],
    keys: [name, rate, p50, p99, failed],
  }
}
