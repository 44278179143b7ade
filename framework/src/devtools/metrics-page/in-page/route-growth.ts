import { seriesByKey } from './increase.ts'
import { seriesOf } from './sample.ts'
import type { Sample, Series } from './sample.ts'

/** The name of the durations by route. */
export const routeDurations = 'http_server_request_duration_seconds'

/** The requests of a route that ended between two samples. */
export interface RouteGrowth {
  /** Those with a status of 500 and above. */
  readonly failed: number
  /** Cumulative counts by upper bound. */
  readonly buckets: ReadonlyMap<string, number>
}

/** Method and route as the table shows them. */
export function routeName({ labels }: Series): string {
  if (labels.get('overflow') === 'true') return 'All other routes'
  const method = labels.get('http_request_method') ?? ''
  return method + ' ' + (labels.get('http_route') ?? 'without a route')
}

/** What grew from one sample to a later one, by the name of the route. A series that fell was reset. */
export function routeGrowths(before: Sample, after: Sample): Map<string, RouteGrowth> {
  const known = seriesByKey(before, routeDurations)
  const growths = new Map<string, RouteGrowth>()
  for (const series of seriesOf(after, routeDurations)) {
    const grown = growthOf(known.get(series.key), series)
    const name = routeName(series)
    growths.set(name, addGrowths(growths.get(name), grown, 1))
  }
  return growths
}

/** The first growth, and the second one as often as `weight` says. */
export function addGrowths(
  total: RouteGrowth | undefined,
  more: RouteGrowth,
  weight: number,
): RouteGrowth {
  const buckets = new Map(total?.buckets)
  for (const [bound, count] of more.buckets) {
    buckets.set(bound, (buckets.get(bound) ?? 0) + count * weight)
  }
  return { failed: (total?.failed ?? 0) + more.failed * weight, buckets }
}

/** The growth of one series. */
export function growthOf(before: Series | undefined, after: Series): RouteGrowth {
  const past = before === undefined || before.value > after.value ? null : before.buckets
  const buckets = new Map<string, number>()
  for (const [bound, count] of after.buckets ?? []) {
    buckets.set(bound, Math.max(0, count - (past?.get(bound) ?? 0)))
  }
  const status = Number(after.labels.get('http_response_status_code') ?? 0)
  return { failed: status >= 500 ? (buckets.get('+Inf') ?? 0) : 0, buckets }
}
