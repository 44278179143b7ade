import { Counter } from '../../metrics/instruments/counter.ts'
import { Gauge } from '../../metrics/instruments/gauge.ts'
import { Histogram } from '../../metrics/instruments/histogram.ts'
import { RouteDurations } from './route-durations.ts'
import type { RouteSummary } from '../router/route.ts'

/** Plain numbers for speed: besides its duration, they are all that most requests change. */
export interface RequestCounts {
  /** Requests received. */
  received: number
  /** Requests finished. */
  handled: number
}

/** The instruments of telemetry. */
export interface TelemetryInstruments {
  readonly requests: Counter
  readonly durations: Histogram
  readonly inFlight: Gauge
  /** One per status class, `1xx` first. */
  readonly responses: readonly Counter[]
}

/** `sweep` is called before the number of requests in flight is read. */
export function createTelemetryInstruments(
  counts: RequestCounts,
  sweep: () => void,
): TelemetryInstruments {
  return {
    requests: new Counter('http_requests_total', {
      help: 'Requests that arrived.',
      observe: () => counts.received,
    }),
    durations: new Histogram('http_request_duration_seconds', {
      help: 'Time from the arrival of a request to the end of its answer.',
    }),
    inFlight: new Gauge('http_requests_in_flight', {
      help: 'Requests that have arrived and are not over.',
      observe: () => {
        sweep()
        return counts.received - counts.handled
      },
    }),
    responses: ['1xx', '2xx', '3xx', '4xx', '5xx'].map(
      (label) =>
        new Counter('http_responses_total', { help: 'Answers sent.', labels: { class: label } }),
    ),
  }
}

/** The durations of requests by route. */
export function createRouteDurations(routes: readonly RouteSummary[]): RouteDurations {
  return new RouteDurations(routes)
}
