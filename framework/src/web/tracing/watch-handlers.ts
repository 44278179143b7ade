import { performance } from 'node:perf_hooks'
import { ActiveSpan } from '../../services/tracing/active-span.ts'
import { HandlerPhase } from '../../services/tracing/local-trace.ts'
import { Decisions } from '../../services/tracing/sampler.ts'
import type { HandlerWatch } from '../router/compose.ts'

/** Notes in the trace of a request when its handler runs. */
export const watchHandlers: HandlerWatch = {
  entered({ activity }) {
    const span = activity?.span
    if (span instanceof ActiveSpan) span.trace.isEntering = true
  },
  left({ activity }) {
    const span = activity?.span
    if (span instanceof ActiveSpan) span.trace.isEntering = false
  },
  began({ activity, route }, middlewares) {
    const span = activity?.span
    if (route === null || !(span instanceof ActiveSpan)) return
    const { trace } = span
    // Nothing was waited for: the last known time is close enough.
    const isAtOnce = trace.isEntering || middlewares === 0
    const startMs = isAtOnce ? Math.max(trace.lastMs, span.startMs) : performance.now()
    trace.phase = new HandlerPhase(startMs, route, middlewares, trace.hasEarly)
  },
  ended({ activity }) {
    const span = activity?.span
    if (!(span instanceof ActiveSpan) || span.trace.phase === null) return
    const { phase, decision, lastMs } = span.trace
    if (decision !== Decisions.Record) {
      // Most likely nobody will look.
      phase.untilMs = Math.max(lastMs, phase.startMs)
      return
    }
    phase.endMs = performance.now()
    phase.untilMs = phase.endMs
  },
}
