import type { SpanIds } from '../activity/activity.ts'
import { BoundedCache } from './bounded-cache.ts'
import type { HandlerPhase } from './local-trace.ts'
import { SpanKinds } from './span.ts'
import { frameJson, restJson } from './span-json.ts'
import { ownScope } from './span-record.ts'
import type { SpanRecord } from './span-record.ts'

/** The part of a request before its handler, or the handler itself. */
export class PhaseRecord implements SpanRecord {
  readonly scope: string = ownScope
  readonly #root: SpanIds & { readonly startMs: number }
  readonly #phase: HandlerPhase
  readonly #part: 'middlewares' | 'handler'
  readonly #endMs: number

  constructor(
    root: SpanIds & { readonly startMs: number },
    phase: HandlerPhase,
    part: 'middlewares' | 'handler',
    endMs: number,
  ) {
    this.#root = root
    this.#phase = phase
    this.#part = part
    this.#endMs = endMs
  }

  json(): string {
    const { traceId, spanId: parentId, startMs: begun } = this.#root
    const { startMs, endMs, middlewaresId, handlerId, route, middlewares } = this.#phase
    if (this.#part === 'middlewares') {
      const frame = { traceId, spanId: middlewaresId, parentId, startMs: begun, endMs: startMs }
      return frameJson(frame) + middlewareRests.get(String(middlewares), middlewaresJson)
    }
    const end = Math.min(endMs, this.#endMs)
    const frame = { traceId, spanId: handlerId, parentId, startMs, endMs: end }
    return frameJson(frame) + handlerRests.get(route, handlerJson)
  }
}

// Routes repeat: most of a span is written once.
const middlewareRests = new BoundedCache<string>(100)
const handlerRests = new BoundedCache<string>(1_000)

function middlewaresJson(count: string): string {
  return restJson('middlewares', SpanKinds.Internal, { 'framework.middlewares': Number(count) })
}

function handlerJson(route: string): string {
  return restJson(`handler ${route}`, SpanKinds.Internal, { 'http.route': route })
}
