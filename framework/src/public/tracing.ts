export type { SpanIds } from '../services/activity/activity.ts'
export type { AttributeValue, Span, SpanAttributes } from '../services/tracing/span.ts'
export { trace } from '../services/tracing/trace.ts'
