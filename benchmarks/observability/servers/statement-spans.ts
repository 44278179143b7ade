import { SpanKind, SpanStatusCode, trace } from '@opentelemetry/api'
import type { AroundStatement } from './contestant.ts'

/**
 * Runs each statement in a span. There is no instrumentation for Node's own SQLite; those for other
 * drivers do this, and more.
 */
export const inSpan: AroundStatement = (statement, run) => {
  const tracer = trace.getTracer('sqlite')
  const attributes = {
    'db.system.name': 'sqlite',
    'db.operation.name': 'SELECT',
    'db.query.text': statement,
  }
  return (...args) =>
    tracer.startActiveSpan('SELECT', { kind: SpanKind.CLIENT, attributes }, (span) => {
      try {
        return run(...args)
      } catch (error) {
        span.setStatus({ code: SpanStatusCode.ERROR })
        throw error
      } finally {
        span.end()
      }
    })
}
