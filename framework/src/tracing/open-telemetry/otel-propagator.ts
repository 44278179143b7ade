import type * as Api from '@opentelemetry/api'
import { contextOfSpan } from './otel-span-context.ts'
import { formatTraceparent, parseTraceContext } from '../trace-context.ts'

const fields = ['traceparent', 'tracestate']

/** W3C Trace Context for libraries that carry contexts themselves. */
export function otelPropagator(api: typeof Api): Api.TextMapPropagator<unknown> {
  return {
    inject(context, carrier, setter) {
      const span = api.trace.getSpan(context)
      if (span === undefined || !api.isSpanContextValid(span.spanContext())) return
      const found = contextOfSpan(span)
      setter.set(carrier, 'traceparent', formatTraceparent(found))
      if (found.state !== '') setter.set(carrier, 'tracestate', found.state)
    },
    extract(context, carrier, getter) {
      const read = (name: string): string | undefined => {
        const value = getter.get(carrier, name)
        return Array.isArray(value) ? value.join(',') : value
      }
      const found = parseTraceContext(read('traceparent'), read('tracestate'))
      if (found === null) return context
      const { traceId, spanId, sampled, state } = found
      return api.trace.setSpanContext(context, {
        traceId,
        spanId,
        traceFlags: sampled ? 1 : 0,
        isRemote: true,
        ...(state !== '' && { traceState: api.createTraceState(state) }),
      })
    },
    fields: () => [...fields],
  }
}
