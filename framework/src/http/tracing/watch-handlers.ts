import { performance } from 'node:perf_hooks'
import { ActiveSpan } from '../../tracing/active-span.ts'
import { Decisions } from '../../tracing/sampler.ts'
import { TracedPhases } from '../../tracing/traced-phases.ts'
import type { HandlerWatch } from '../router/compose.ts'

/** Notes in the trace of a request when its handler runs. */
export const watchHandlers: HandlerWatch = {
  entered({ activity }, middlewares) {
    const span = activity?.span
    if (!(span instanceof ActiveSpan)) return
    span.trace.phases ??= new TracedPhases(middlewares)
    span.trace.phases.isEntering = true
  },
  left({ activity }) {
    const span = activity?.span
    if (span instanceof ActiveSpan && span.trace.phases !== null) {
      span.trace.phases.isEntering = false
    }
  },
  began({ activity, route }, middlewares) {
    const span = activity?.span
    if (route === null || !(span instanceof ActiveSpan)) return
    const { trace } = span
    trace.phases ??= new TracedPhases(middlewares)
    const { phases } = trace
    // Nothing was waited for: the last known time is close enough.
    const isAtOnce = phases.isEntering || middlewares === 0
    phases.route = route
    phases.startMs = isAtOnce ? Math.max(trace.lastMs, span.startMs) : performance.now()
  },
  ended({ activity }) {
    const span = activity?.span
    if (!(span instanceof ActiveSpan) || span.trace.phases === null) return
    const { phases, decision, lastMs } = span.trace
    if (decision !== Decisions.Record) {
      // Most likely nobody will look.
      phases.untilMs = Math.max(lastMs, phases.startMs)
      return
    }
    phases.endMs = performance.now()
    phases.untilMs = phases.endMs
  },
}
