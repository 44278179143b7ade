export type { SpanIds } from '../activity/activity.ts'
export type { AttributeValue, Span, SpanAttributes } from '../tracing/span.ts'
export { trace } from '../tracing/trace.ts'
