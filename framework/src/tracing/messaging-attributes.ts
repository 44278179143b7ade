import type { SpanAttributes } from './span.ts'

/** Attributes of the spans of a queue. */
export function messagingAttributes(queue: string, operation: 'send' | 'process'): SpanAttributes {
  return {
    'messaging.system': 'framework',
    'messaging.destination.name': queue,
    'messaging.operation.name': operation,
    'messaging.operation.type': operation,
  }
}
