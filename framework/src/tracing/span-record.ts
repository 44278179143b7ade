import type { SpanId, TraceWords } from './span-ids.ts'

/** A finished span that waits for the end of its root. */
export interface SpanRecord {
  /** Queues it for export. Called once. */
  write(): void
}

/** Takes finished spans. */
export interface SpanSink {
  /**
   * Queues a span for export. `scope` is the library that made it, `id` null for one of which nobody else knows
   * the id, `parent` null for a root. `rest` is all that follows ids and times in its OTLP JSON, with the closing
   * brace; as UTF-8 if it is the same for many.
   */
  keep(
    scope: string,
    trace: TraceWords,
    id: SpanId | null,
    parent: SpanId | null,
    startMs: number,
    endMs: number,
    rest: Uint8Array | string,
  ): void
  /** Counts a span of a trace that has too many. */
  lose(): void
  /** Counts a span that cannot be encoded. */
  refuse(thrown: unknown): void
}

/** The instrumentation scope of the framework's own spans. */
export const ownScope = 'framework'
