import { performance } from 'node:perf_hooks'
import type * as Api from '@opentelemetry/api'
import { ActiveSpan, toProcessMs } from '../active-span.ts'
import { contextOfSpan } from './otel-span-context.ts'
import { SpanKinds } from '../span.ts'
import type { Tracing } from '../tracing.ts'

/** Set by libraries around requests that must not be traced, such as those of their own exporters. */
const suppressed = Symbol.for('OpenTelemetry SDK Context Key SUPPRESS_TRACING')

/** By OpenTelemetry's numbers, which differ from those of OTLP. */
const kinds = [
  SpanKinds.Internal,
  SpanKinds.Server,
  SpanKinds.Client,
  SpanKinds.Producer,
  SpanKinds.Consumer,
] as const

/** The tracer provider of OpenTelemetry: the spans of other libraries are spans of ours. */
export function otelTracers(api: typeof Api, tracing: Tracing): Api.TracerProvider {
  return {
    getTracer: (name) => new OtelTracer(api, tracing, name),
  }
}

class OtelTracer implements Api.Tracer {
  readonly #api: typeof Api
  readonly #tracing: Tracing
  readonly #scope: string

  constructor(api: typeof Api, tracing: Tracing, scope: string) {
    this.#api = api
    this.#tracing = tracing
    this.#scope = scope
  }

  startSpan(
    name: string,
    options: Api.SpanOptions = {},
    context: Api.Context = this.#api.context.active(),
  ): Api.Span {
    const { trace, INVALID_SPAN_CONTEXT } = this.#api
    if (context.getValue(suppressed) === true) return trace.wrapSpanContext(INVALID_SPAN_CONTEXT)
    const parent = options.root === true ? undefined : trace.getSpan(context)
    const kind = kinds[options.kind ?? 0] ?? SpanKinds.Internal
    const startMs =
      options.startTime === undefined ? performance.now() : toProcessMs(options.startTime)
    const span = this.#begin(name, kind, startMs, parent)
    if (options.attributes !== undefined) span.setAttributes(options.attributes)
    for (const { context: linked } of options.links ?? []) span.addLink({ context: linked })
    return span
  }

  startActiveSpan<F extends (span: Api.Span) => unknown>(
    name: string,
    ...rest: [F] | [Api.SpanOptions, F] | [Api.SpanOptions, Api.Context, F]
  ): ReturnType<F> {
    const { context, trace } = this.#api
    const [options, given, work] =
      rest.length === 3
        ? rest
        : rest.length === 2
          ? [rest[0], context.active(), rest[1]]
          : [{}, context.active(), rest[0]]
    const span = this.startSpan(name, options, given)
    // What `work` returns is what its type says.
    return context.with(trace.setSpan(given, span), () => work(span)) as ReturnType<F>
  }

  #begin(name: string, kind: SpanKinds, startMs: number, parent: Api.Span | undefined): ActiveSpan {
    const scope = this.#scope
    if (parent instanceof ActiveSpan) {
      return new ActiveSpan(parent.trace, parent, name, kind, startMs, scope)
    }
    const isKnown = parent !== undefined && this.#api.isSpanContextValid(parent.spanContext())
    const context = isKnown ? contextOfSpan(parent) : null
    return this.#tracing.root(name, { kind, startMs, scope, parent: context })
  }
}
