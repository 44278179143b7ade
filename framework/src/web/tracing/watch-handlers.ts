import { performance } from 'node:perf_hooks'
import { ActiveSpan } from '../../services/tracing/active-span.ts'
import { HandlerPhase } from '../../services/tracing/local-trace.ts'
import type { HandlerWatch } from '../router/compose.ts'

/** Notes in the trace of a request when its handler runs. */
export const watchHandlers: HandlerWatch = {
  began({ activity, route }, middlewares) {
    const span = activity?.span
    if (route === null || !(span instanceof ActiveSpan) || !span.isRecording()) return
    span.trace.phase = new HandlerPhase(performance.now(), route, middlewares)
  },
  ended({ activity }) {
    const span = activity?.span
    if (!(span instanceof ActiveSpan) || span.trace.phase === null) return
    span.trace.phase.endMs = performance.now()
  },
}
