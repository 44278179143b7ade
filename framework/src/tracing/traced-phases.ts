import { BoundedCache } from './bounded-cache.ts'
import { SpanKinds } from './span.ts'
import { SpanId } from './span-ids.ts'
import type { TraceWords } from './span-ids.ts'
import { attributesJson, restBytes } from './span-json.ts'
import { ownScope } from './span-record.ts'
import type { SpanSink } from './span-record.ts'

/** A shorter phase with nothing inside is no span: it would say nothing that the request does not. */
const minPhaseMs = 1

/** What is needed of the span of the request. */
interface Root {
  readonly trace: TraceWords
  readonly id: SpanId
  readonly startMs: number
}

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
  #middlewaresId: SpanId | null = null
  #handlerId: SpanId | null = null
  #isOver = false

  constructor(middlewares: number) {
    this.middlewares = middlewares
  }

  /** The span in which something began that ends now; null for the request itself. */
  parentAt(ms: number): SpanId | null {
    return ms < this.startMs ? this.#middlewaresAsParent() : this.#handlerAsParent(ms)
  }

  /** Exports those that are worth a span, at the end of the request. */
  keep(sink: SpanSink, { trace, id, startMs: begunMs }: Root, overMs: number): void {
    const { middlewares, route, startMs } = this
    this.#isOver = true
    const leftMs = Math.min(startMs, overMs)
    const early =
      middlewares > 0 && (this.#middlewaresId !== null || leftMs - begunMs >= minPhaseMs)
    if (early) {
      const rest = middlewareRests.get(String(middlewares), middlewaresBytes)
      sink.keep(ownScope, trace, this.#middlewaresId, id, begunMs, leftMs, rest)
    }
    const endMs = Math.min(this.endMs, overMs)
    if (this.#handlerId !== null || (early && startMs <= overMs) || endMs - startMs >= minPhaseMs) {
      const rest = handlerRests.get(route, handlerBytes)
      sink.keep(ownScope, trace, this.#handlerId, id, startMs, endMs, rest)
    }
  }

  #middlewaresAsParent(): SpanId | null {
    if (this.middlewares > 0 && !this.#isOver) this.#middlewaresId ??= SpanId.random()
    return this.#middlewaresId
  }

  #handlerAsParent(ms: number): SpanId | null {
    if (ms >= this.untilMs) return null
    if (!this.#isOver) this.#handlerId ??= SpanId.random()
    return this.#handlerId
  }
}

// Routes repeat: most of a span is written once.
const middlewareRests = new BoundedCache<Uint8Array>(100)
const handlerRests = new BoundedCache<Uint8Array>(1_000)

function middlewaresBytes(count: string): Uint8Array {
  const attributes = attributesJson({ 'framework.middlewares': Number(count) })
  return restBytes('middlewares', SpanKinds.Internal, attributes)
}

function handlerBytes(route: string): Uint8Array {
  const attributes = attributesJson({ 'http.route': route })
  return restBytes(`handler ${route}`, SpanKinds.Internal, attributes)
}
