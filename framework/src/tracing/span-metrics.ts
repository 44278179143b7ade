import { Counter } from '../metrics/instruments/counter.ts'
import { Observability } from '../metrics/observability.ts'
import type { SpanCounts } from './span-exporter.ts'

/** The spans of this process. */
export const spanCounts: SpanCounts = { exported: 0, overflowed: 0, refused: 0 }

const dropped = 'Spans that the collector never gets: the queue was full, or it did not take them.'

const instruments = [
  new Counter('tracing_spans_exported_total', {
    help: 'Spans that the collector took.',
    observe: () => spanCounts.exported,
  }),
  new Counter('tracing_spans_dropped_total', {
    help: dropped,
    labels: { reason: 'queue' },
    observe: () => spanCounts.overflowed,
  }),
  new Counter('tracing_spans_dropped_total', {
    help: dropped,
    labels: { reason: 'export' },
    observe: () => spanCounts.refused,
  }),
]

/** Publishes the numbers of spans as metrics. Returns a function that stops it; what is published stays. */
export function measureSpans(): () => void {
  return Observability.follow(({ metrics }) => void metrics.push(...instruments))
}
