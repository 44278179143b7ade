import type { SpanIds } from '../../activity/activity.ts'
import { Counter } from '../../metrics/instruments/counter.ts'
import { Gauge } from '../../metrics/instruments/gauge.ts'
import { Histogram } from '../../metrics/instruments/histogram.ts'
import { defaultCap } from '../../metrics/instruments/labelled.ts'
import type { Labels } from '../../metrics/labels.ts'
import type { RouteSummary } from '../router/route.ts'

/** The metrics of requests. Numbers are plain for speed: besides its duration, they are all that most requests change. */
export class RequestMetrics {
  /** Requests received. */
  received = 0
  /** Requests finished. */
  handled = 0
  readonly requests: Counter = new Counter('http_requests_total', {
    help: 'Requests that arrived.',
    observe: () => this.received,
  })
  readonly durations: Histogram = new Histogram('http_request_duration_seconds', {
    help: 'Time from the arrival of a request to the end of its answer.',
  })
  readonly inFlight: Gauge
  /** One per status class, `1xx` first. */
  readonly responses: readonly Counter[] = ['1xx', '2xx', '3xx', '4xx', '5xx'].map(
    (label) =>
      new Counter('http_responses_total', { help: 'Answers sent.', labels: { class: label } }),
  )

  /** `sweep` is called before the number of requests in flight is read. */
  constructor(sweep: () => void) {
    this.inFlight = new Gauge('http_requests_in_flight', {
      help: 'Requests that have arrived and are not over.',
      observe: () => {
        sweep()
        return this.received - this.handled
      },
    })
  }
}

/** The bounds that OpenTelemetry's conventions for HTTP advise, in seconds. */
const bounds = [0.005, 0.01, 0.025, 0.05, 0.075, 0.1, 0.25, 0.5, 0.75, 1, 2.5, 5, 7.5, 10]
const knownMethods = 'GET HEAD POST PUT PATCH DELETE OPTIONS TRACE CONNECT QUERY'.split(' ')
const seriesPerRoute = 10

/** The series of one route and method by status; 0 if no response was sent. */
type ByStatus = Map<number, Histogram>
/** By pattern; null for requests without a route. */
type ByRoute = Map<string | null, ByStatus>

/**
 * Durations of requests by method, route and status, named as OpenTelemetry names them. Strangers can
 * only add few series: paths without a route share theirs, and so do unusual methods.
 */
export class RouteDurations {
  readonly histogram: Histogram
  readonly #byMethod: ReadonlyMap<string, ByRoute>
  readonly #get: ByRoute = new Map()
  readonly #other: ByRoute = new Map()

  /** `routes` are those of the router, which must be frozen. */
  constructor(routes: readonly Pick<RouteSummary, 'method' | 'pattern'>[]) {
    this.histogram = new Histogram('http_server_request_duration_seconds', {
      help: 'Time from the arrival of a request to the end of its response, by route.',
      buckets: bounds,
      cap: Math.max(defaultCap, seriesPerRoute * routes.length),
    })
    const methods = new Set([...knownMethods, ...routes.map(({ method }) => method)])
    this.#byMethod = new Map(
      [...methods].map((method) => [method, method === 'GET' ? this.#get : new Map()]),
    )
    for (const { method, pattern } of routes) this.#routesOf(method).set(pattern, new Map())
  }

  /** Adds a request that has ended; `status` is 0 if no response was sent. `exemplar` is its span. */
  observe(
    method: string,
    route: string | null,
    status: number,
    seconds: number,
    exemplar?: SpanIds,
  ): void {
    const routes = method === 'GET' ? this.#get : this.#routesOf(method)
    const series = routes.get(route)?.get(status) ?? this.#add(routes, method, route, status)
    series.observe(seconds, exemplar)
  }

  #routesOf(method: string): ByRoute {
    return this.#byMethod.get(method) ?? this.#other
  }

  #add(routes: ByRoute, method: string, route: string | null, status: number): Histogram {
    const labels: Labels = {
      http_request_method: routes === this.#other ? '_OTHER' : method,
      ...(route !== null && { http_route: route }),
      ...(status !== 0 && { http_response_status_code: String(status) }),
    }
    const series = this.histogram.with(labels)
    const statuses = routes.get(route) ?? new Map<number, Histogram>()
    routes.set(route, statuses.set(status, series))
    return series
  }
}
