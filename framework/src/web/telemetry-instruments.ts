import { Counter } from '../services/observability/metrics/counter.ts'
import { Gauge } from '../services/observability/metrics/gauge.ts'
import { Histogram } from '../services/observability/metrics/histogram.ts'

/** What telemetry counts with. */
export interface TelemetryInstruments {
  readonly requests: Counter
  readonly durations: Histogram
  readonly inFlight: Gauge
  /** One for each class of statuses, `1xx` first. */
  readonly responses: readonly Counter[]
}

export function createTelemetryInstruments(): TelemetryInstruments {
  return {
    requests: new Counter('http_requests_total', { help: 'Requests that arrived.' }),
    durations: new Histogram('http_request_duration_seconds', {
      help: 'Time from the arrival of a request to the end of its answer.',
    }),
    inFlight: new Gauge('http_requests_in_flight', {
      help: 'Requests that have arrived and are not over.',
    }),
    responses: ['1xx', '2xx', '3xx', '4xx', '5xx'].map(
      (label) =>
        new Counter('http_responses_total', { help: 'Answers sent.', labels: { class: label } }),
    ),
  }
}
