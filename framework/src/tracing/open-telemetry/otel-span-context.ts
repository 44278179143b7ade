import type * as Api from '@opentelemetry/api'
import { ActiveSpan } from '../active-span.ts'
import type { TraceContext } from '../trace-context.ts'

/** The context of a span of any library. */
export function contextOfSpan(span: Api.Span): TraceContext {
  if (span instanceof ActiveSpan) return span.context
  const { traceId, spanId, traceFlags, traceState } = span.spanContext()
  const state = traceState?.serialize() ?? ''
  return { traceId, spanId, sampled: (traceFlags & 1) !== 0, random: (traceFlags & 2) !== 0, state }
}
