import type { SpanIds } from '../activity/activity.ts'
import type { HandlerPhase } from './local-trace.ts'
import { SpanKinds } from './span.ts'
import { attributeList, attributesJson, frameJson, nameJson } from './span-json.ts'
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
      const attributes = attributeList(attributesJson({ 'framework.middlewares': middlewares }))
      return `${frameJson(frame)}${nameJson('middlewares', SpanKinds.Internal)}${attributes}}`
    }
    const end = Math.min(endMs, this.#endMs)
    const frame = { traceId, spanId: handlerId, parentId, startMs, endMs: end }
    const attributes = attributeList(attributesJson({ 'http.route': route }))
    return `${frameJson(frame)}${nameJson(`handler ${route}`, SpanKinds.Internal)}${attributes}}`
  }
}
