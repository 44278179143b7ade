import type { SpanTable } from './export/span-table.ts'
import type { Holder } from './held-traces.ts'

/** A finished span, waiting to be exported. */
export interface SpanRecord {
  /** Passes it on. Called once, when it waits for nothing more. */
  write(to: SpanTable): void
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
