import { SpanKind, SpanStatusCode, trace } from '@opentelemetry/api'
import { reading } from '../work.ts'
import type { Order } from './contestant.ts'

/**
 * Reads an order in a span. There is no instrumentation for Node's own SQLite; those for other drivers
 * do this, and more.
 */
export function tracedOrders(read: (id: number) => Order): (id: number) => Order {
  const tracer = trace.getTracer('sqlite')
  const attributes = {
    'db.system.name': 'sqlite',
    'db.operation.name': 'SELECT',
    'db.query.text': reading,
  }
  return (id) =>
    tracer.startActiveSpan('SELECT orders', { kind: SpanKind.CLIENT, attributes }, (span) => {
      try {
        return read(id)
      } catch (error) {
        span.setStatus({ code: SpanStatusCode.ERROR })
        throw error
      } finally {
        span.end()
      }
    })
}
