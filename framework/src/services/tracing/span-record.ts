/** A finished span, waiting to be exported. */
export interface SpanRecord {
  /** The instrumentation scope: the library that made it. */
  readonly scope: string
  /** The span as OTLP JSON. Called once, away from requests. */
  json(): string
}

/** Takes finished spans. */
export interface SpanSink {
  /** Queues a span for export. */
  keep(record: SpanRecord): void
  /** Counts a span of a trace that has too many. */
  lose(): void
}

/** The instrumentation scope of the framework's own spans. */
export const ownScope = 'framework'
