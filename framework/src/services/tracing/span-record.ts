import type { Holder } from './held-traces.ts'
import type { SpanId } from './span-ids.ts'

/** A finished span, waiting to be exported. */
export interface SpanRecord {
  /** Passes it on. Called once, when it waits for nothing more. */
  write(to: SpanRows): void
}

/** A trace, of which the id is exported. */
export interface TraceWords {
  /** Writes the four words of its id. */
  writeId(to: Int32Array, at: number): void
}

/** Takes what is exported of a span. */
export interface SpanRows {
  /**
   * `scope` is the library that made it, `parent` null for a root. `rest` is all that follows ids and times in
   * its OTLP JSON, with the closing brace; as UTF-8 if it is the same for many.
   */
  add(
    scope: string,
    trace: TraceWords,
    id: SpanId,
    parent: SpanId | null,
    startMs: number,
    endMs: number,
    rest: Uint8Array | string,
  ): void
}

/** Takes finished spans. */
export interface SpanSink {
  /** Notes that something holds spans back. If that takes long, it is told to release them. */
  hold(holder: Holder): void
  /** Takes that back. */
  letGo(holder: Holder): void
  /** Queues a span for export. */
  keep(record: SpanRecord): void
  /** Counts a span of a trace that has too many. */
  lose(): void
}

/** The instrumentation scope of the framework's own spans. */
export const ownScope = 'framework'
