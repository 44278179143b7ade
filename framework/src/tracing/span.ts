import type { SpanIds } from '../activity/activity.ts'

/** A value of a span attribute. */
export type AttributeValue =
  | string
  | number
  | boolean
  | readonly (string | number | boolean | null | undefined)[]

/** Attributes of a span or an event; undefined ones are left out. */
export type SpanAttributes = Readonly<Record<string, AttributeValue | undefined>>

/**
 * A part of a trace: what a process does, and for how long. Attributes with a secret name are redacted,
 * long texts are cut, and nothing here throws. While tracing is off every call does nothing.
 */
export interface Span extends SpanIds {
  /** Whether what is set here may reach the collector: check it before an expensive computation. */
  isRecording(): boolean
  /** Sets an attribute, at most 128 of them: `span.setAttribute('order.items', 3)`. */
  setAttribute(name: string, value: AttributeValue): this
  setAttributes(attributes: SpanAttributes): this
  /** Notes that something happened now. */
  addEvent(name: string, attributes?: SpanAttributes): this
  /** Adds an error as an event, with its class, message and stack. The span does not count as failed. */
  recordException(error: unknown): this
}

/** Kinds of spans, by their numbers in OTLP. */
export const SpanKinds = { Internal: 1, Server: 2, Client: 3, Producer: 4, Consumer: 5 } as const
Object.freeze(SpanKinds)
export type SpanKinds = (typeof SpanKinds)[keyof typeof SpanKinds]

/** The span of code that is not traced. */
export const noSpan: Span = Object.freeze({
  traceId: '0'.repeat(32),
  spanId: '0'.repeat(16),
  isRecording: () => false,
  setAttribute: () => noSpan,
  setAttributes: () => noSpan,
  addEvent: () => noSpan,
  recordException: () => noSpan,
})

/** Whether ids are those of a span that can be described further. */
export function isSpan(ids: SpanIds | null | undefined): ids is Span {
  return ids !== null && ids !== undefined && 'recordException' in ids
}

/** Attributes of the spans of a queue. */
export function messagingAttributes(queue: string, operation: 'send' | 'process'): SpanAttributes {
  return {
    'messaging.system': 'framework',
    'messaging.destination.name': queue,
    'messaging.operation.name': operation,
    'messaging.operation.type': operation,
  }
}
