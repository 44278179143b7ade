import { AsyncLocalStorage } from 'node:async_hooks'
import type * as Api from '@opentelemetry/api'
import type { SpanIds } from '../../activity/activity.ts'
import { Scopes } from '../../activity/scopes.ts'
import { ActiveSpan } from '../active-span.ts'

/** The context manager of OpenTelemetry over our scopes: the current span is the same in both. */
export function otelContexts(api: typeof Api): Api.ContextManager {
  /** What else other libraries put into their contexts, and the span it was entered with. */
  const storage = new AsyncLocalStorage<{ context: Api.Context; span: SpanIds | null }>()

  function active(): Api.Context {
    const { span } = Scopes.current()
    const held = storage.getStore()
    if (held !== undefined && held.span === span) return held.context
    return span instanceof ActiveSpan ? api.trace.setSpan(api.ROOT_CONTEXT, span) : api.ROOT_CONTEXT
  }

  function enter<T>(context: Api.Context, work: () => T): T {
    const given = api.trace.getSpan(context)
    const span = given instanceof ActiveSpan ? given : (given?.spanContext() ?? null)
    return storage.run({ context, span }, () =>
      span === null ? Scopes.runOutside(work) : Scopes.runSpan(span, work),
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
