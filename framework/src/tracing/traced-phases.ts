import { RecentTexts } from '../base/encoding/recent-texts.ts'
import { descriptionJson, otlpAttributes, ownLibrary } from './otlp-span.ts'
import type { FinishedSpan, SpanSink } from './otlp-span.ts'
import { SpanKinds } from './span.ts'
import { newSpanId } from './span-ids.ts'

/** A shorter phase with nothing inside is no span: it would say nothing that the request does not. */
const minPhaseMs = 1

/** What is needed of the span of the request. */
type Root = Pick<FinishedSpan, 'traceId' | 'spanId' | 'startMs'>

/** When the middlewares and the handler of a request ran, and the ids of the spans made of that. */
export class TracedPhases {
  /** Number of middlewares before the handler. */
  readonly middlewares: number
  /** Whether the code that began the request has not returned yet. */
  isEntering = false
  route = ''
  /** When the handler began. */
  startMs: number = Number.POSITIVE_INFINITY
  /** When it ended; by default with the request. */
  endMs: number = Number.POSITIVE_INFINITY
  /** What begins later is not part of it. */
  untilMs: number = Number.POSITIVE_INFINITY
  // Each is made for the first span inside.
  #middlewaresId: string | null = null
  #handlerId: string | null = null
  #isOver = false

  constructor(middlewares: number) {
    this.middlewares = middlewares
  }

  /** The span in which something began that ends now; null for the request itself. */
  parentAt(ms: number): string | null {
    if (ms < this.startMs) {
      if (this.middlewares > 0 && !this.#isOver) this.#middlewaresId ??= newSpanId()
      return this.#middlewaresId
    }
    if (ms >= this.untilMs) return null
    if (!this.#isOver) this.#handlerId ??= newSpanId()
    return this.#handlerId
  }

  /** Exports those that are worth a span, at the end of the request. */
  export(sink: SpanSink, { traceId, spanId, startMs: begunMs }: Root, overMs: number): void {
    const { middlewares, route, startMs } = this
    this.#isOver = true
    const common = { library: ownLibrary, traceId, parentSpanId: spanId }
    const leftMs = Math.min(startMs, overMs)
    const early =
      middlewares > 0 && (this.#middlewaresId !== null || leftMs - begunMs >= minPhaseMs)
    if (early) {
      sink.enqueue({
        ...common,
        spanId: this.#middlewaresId ?? newSpanId(),
        startMs: begunMs,
        endMs: leftMs,
        description: middlewareSpans.getOr(String(middlewares), describeMiddlewares),
      })
    }
    const endMs = Math.min(this.endMs, overMs)
    if (this.#handlerId !== null || (early && startMs <= overMs) || endMs - startMs >= minPhaseMs) {
      sink.enqueue({
        ...common,
        spanId: this.#handlerId ?? newSpanId(),
        startMs,
        endMs,
        description: handlerSpans.getOr(route, describeHandler),
      })
    }
  }
}

// Routes repeat.
const middlewareSpans = new RecentTexts<string>(100)
const handlerSpans = new RecentTexts<string>(1_000)

function describeMiddlewares(count: string): string {
  const attributes = otlpAttributes({ 'framework.middlewares': Number(count) })
  return descriptionJson({ name: 'middlewares', kind: SpanKinds.Internal, attributes })
}

function describeHandler(route: string): string {
  const attributes = otlpAttributes({ 'http.route': route })
  return descriptionJson({ name: `handler ${route}`, kind: SpanKinds.Internal, attributes })
}
