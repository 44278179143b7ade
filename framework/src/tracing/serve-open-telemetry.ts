import { AsyncLocalStorage } from 'node:async_hooks'
import { createRequire } from 'node:module'
import { join } from 'node:path'
import { performance } from 'node:perf_hooks'
import type * as Api from '@opentelemetry/api'
import { hasCode } from '../base/errors.ts'
import type { SpanIds } from '../activity/activity.ts'
import { CurrentWork } from '../activity/current-work.ts'
import { ActiveSpan, toProcessMs } from './active-span.ts'
import { SpanKinds } from './span.ts'
import { formatTraceparent, parseTraceContext } from './trace-context.ts'
import type { TraceContext } from './trace-context.ts'
import type { Tracing } from './tracing.ts'

/**
 * Becomes the implementation behind `@opentelemetry/api` if the project has that package, so that the
 * spans of other libraries join ours. Does nothing if another one is there. Returns a function that
 * takes it back.
 */
export function serveOpenTelemetry(tracing: Tracing, root: string): () => void {
  const api = loadApi(root)
  if (api === null) return () => {}
  // The spans of other libraries are spans of ours.
  const tracers = { getTracer: (name: string) => new OtelTracer(api, tracing, name) }
  if (!api.trace.setGlobalTracerProvider(tracers)) return () => {}
  api.context.setGlobalContextManager(otelContexts(api))
  if (tracing.propagates) api.propagation.setGlobalPropagator(otelPropagator(api))
  return () => {
    api.trace.disable()
    api.context.disable()
    api.propagation.disable()
  }
}

// From the project: the copy that its other packages use.
function loadApi(root: string): typeof Api | null {
  try {
    return createRequire(join(root, 'package.json'))('@opentelemetry/api')
  } catch (thrown) {
    if (hasCode(thrown, 'MODULE_NOT_FOUND')) return null
    throw thrown
  }
}

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

class OtelTracer implements Api.Tracer {
  readonly #api: typeof Api
  readonly #tracing: Tracing
  readonly #library: string

  constructor(api: typeof Api, tracing: Tracing, library: string) {
    this.#api = api
    this.#tracing = tracing
    this.#library = library
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
    const library = this.#library
    if (parent instanceof ActiveSpan) {
      return new ActiveSpan(parent.trace, parent, name, kind, startMs, library)
    }
    const isKnown = parent !== undefined && this.#api.isSpanContextValid(parent.spanContext())
    const context = isKnown ? contextOfSpan(parent) : null
    return this.#tracing.root(name, { kind, startMs, library, parent: context })
  }
}

/** The context manager of OpenTelemetry over ours: the current span is the same in both. */
function otelContexts(api: typeof Api): Api.ContextManager {
  /** What else other libraries put into their contexts, and the span it was entered with. */
  const storage = new AsyncLocalStorage<{ context: Api.Context; span: SpanIds | null }>()

  function active(): Api.Context {
    const { span } = CurrentWork.context()
    const held = storage.getStore()
    if (held !== undefined && held.span === span) return held.context
    return span instanceof ActiveSpan ? api.trace.setSpan(api.ROOT_CONTEXT, span) : api.ROOT_CONTEXT
  }

  function enter<T>(context: Api.Context, work: () => T): T {
    const given = api.trace.getSpan(context)
    const span = given instanceof ActiveSpan ? given : (given?.spanContext() ?? null)
    return storage.run({ context, span }, () =>
      span === null ? CurrentWork.runOutside(work) : CurrentWork.runSpan(span, work),
    )
  }

  return {
    active,
    with: (context, work, thisArg, ...given) => enter(context, () => work.call(thisArg, ...given)),
    bind(context, target) {
      if (typeof target !== 'function') return target
      return new Proxy(target, {
        apply: (work, thisArg, given) => enter(context, () => Reflect.apply(work, thisArg, given)),
      })
    },
    enable() {
      return this
    },
    disable() {
      storage.disable()
      return this
    },
  }
}

/** W3C Trace Context for libraries that carry contexts themselves. */
function otelPropagator(api: typeof Api): Api.TextMapPropagator<unknown> {
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
    fields: () => ['traceparent', 'tracestate'],
  }
}

/** The context of a span of any library. */
function contextOfSpan(span: Api.Span): TraceContext {
  if (span instanceof ActiveSpan) return span.context
  const { traceId, spanId, traceFlags, traceState } = span.spanContext()
  const state = traceState?.serialize() ?? ''
  return { traceId, spanId, sampled: (traceFlags & 1) !== 0, random: (traceFlags & 2) !== 0, state }
}
