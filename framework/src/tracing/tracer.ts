import type { SpanIds } from '../activity/activity.ts'
import { CurrentWork } from '../activity/current-work.ts'
import type { Span, SpanKinds } from './span.ts'
import { formatTraceparent } from './trace-context.ts'
import type { TraceContext } from './trace-context.ts'

/** A span that whoever began it has to end. */
export interface OpenSpan extends Span {
  /** Whether the collector gets it, as far as is known yet. */
  readonly sampled: boolean
  /** What other processes are told. */
  readonly context: TraceContext
  /** Marks it as failed: with the class or code of an error, or an HTTP status. */
  fail(errorType?: string): this
  end(): void
}

/** How a root begins. */
export interface RootOptions {
  readonly kind: SpanKinds
  /** By `performance.now()`. @default now */
  readonly startMs?: number
  /** The span of another process that it is part of. */
  readonly parent?: TraceContext | null
  /** The span that caused it: it begins a trace of its own, but is recorded if that one was. */
  readonly cause?: TraceContext | null
  /** The library that begins it. @default 'framework' */
  readonly library?: string
}

/** Begins spans. */
export interface Tracer {
  /** Begins the root of a request, a job or a command. */
  root(name: string, options: RootOptions): OpenSpan
  /** Begins a span inside the current one, a root if there is none; the current one if it is not recorded. */
  span(name: string): OpenSpan
}

/** The tracer of this process. It is here so that nothing of tracing is loaded while it is off. */
export const Tracers: {
  /** Null while tracing is off. */
  current: Tracer | null
} = { current: null }

/** Whether ids are those of a span that goes on in this process. */
export function isOpenSpan(ids: SpanIds | null): ids is OpenSpan {
  return ids !== null && 'context' in ids && 'end' in ids
}

/** The `traceparent` of the current span; null without one. */
export function currentTraceparent(): string | null {
  const { span } = CurrentWork.context()
  return isOpenSpan(span) ? formatTraceparent(span.context) : null
}
