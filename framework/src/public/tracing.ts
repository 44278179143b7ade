export type { AttributeValue, Span, SpanAttributes } from '../services/tracing/span.ts'
export { trace } from '../services/tracing/trace.ts'
