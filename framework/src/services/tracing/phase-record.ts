import type { SpanTable } from './export/span-table.ts'
import { BoundedCache } from './bounded-cache.ts'
import type { HandlerPhase } from './local-trace.ts'
import { SpanKinds } from './span.ts'
import { attributesJson, restBytes } from './span-json.ts'
import { ownScope } from './span-record.ts'
import type { SpanId, TraceWords } from './span-ids.ts'
import type { SpanRecord } from './span-record.ts'

/** What is needed of the span of the request. */
interface Root {
  readonly trace: TraceWords
  readonly id: SpanId
  readonly startMs: number
}

/** The part of a request before its handler, or the handler itself. */
export class PhaseRecord implements SpanRecord {
  readonly #root: Root
  readonly #phase: HandlerPhase
  readonly #part: 'middlewares' | 'handler'
  readonly #endMs: number

  constructor(root: Root, phase: HandlerPhase, part: 'middlewares' | 'handler', endMs: number) {
    this.#root = root
    this.#phase = phase
    this.#part = part
    this.#endMs = endMs
  }

  write(to: SpanTable): void {
    const { trace, id, startMs: begun } = this.#root
    const { startMs, endMs, middlewaresId, handlerId, route, middlewares } = this.#phase
    if (this.#part === 'middlewares') {
      const rest = middlewareRests.get(String(middlewares), middlewaresBytes)
      to.add(ownScope, trace, middlewaresId, id, begun, startMs, rest)
    } else {
      const rest = handlerRests.get(route, handlerBytes)
      to.add(ownScope, trace, handlerId, id, startMs, Math.min(endMs, this.#endMs), rest)
    }
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
