import { performance } from 'node:perf_hooks'
import type { Emitter } from '../../events/emitter.ts'
import { ActiveSpan } from '../../tracing/active-span.ts'
import { Decisions } from '../../tracing/sampler.ts'
import { SpanKinds } from '../../tracing/span.ts'
import { parseTraceContext } from '../../tracing/trace-context.ts'
import type { TraceContext } from '../../tracing/trace-context.ts'
import { TracedPhases } from '../../tracing/traced-phases.ts'
import type { Tracing } from '../../tracing/tracing.ts'
import { isForwarded, isPrivateAddress } from '../request/peer.ts'
import { RequestEvents } from '../request/request-events.ts'
import type { Request } from '../request/request.ts'
import type { Response } from '../response/response.ts'
import { HandlerWatches } from '../router/compose.ts'
import type { HandlerWatch } from '../router/compose.ts'
import { RequestDetails } from './request-details.ts'

interface TraceRequestsOptions {
  readonly tracing: Tracing
  readonly emitter: Emitter
  /** Whether the traces that trusted proxies forward are continued, whoever the client is. */
  readonly trustsProxies: boolean
}

/** Before all others: they may want to know the span, and whether it is exported. */
const priority = 1_000

/** Makes a span of every request of servers started from now on. Returns a function that stops it. */
export function traceRequests({
  tracing,
  emitter,
  trustsProxies,
}: TraceRequestsOptions): () => void {
  const stops = [
    emitter.listen(RequestEvents.Received, (request) => received(request), priority),
    emitter.listen(RequestEvents.Handled, handled, priority),
  ]
  const dropped = (): ActiveSpan => tracing.droppedRoot()
  HandlerWatches.current = watchHandlers
  return () => {
    for (const stop of stops) stop()
    HandlerWatches.current = null
  }

  function received(request: Request): void {
    const { activity } = request
    if (activity === null || activity.span !== null) return
    const given = tracing.propagates ? contextOf(request) : null
    const span = given === null ? tracing.requestRoot(request.method) : rootOfGiven(request, given)
    if (span === null) {
      activity.lateSpan = dropped
      return
    }
    activity.span = span
    if (span.isRecording()) request.isWatched = true
    // The others who measure it begin at the same moment.
    if (request.receivedMs === 0) request.receivedMs = span.startMs
  }

  function rootOfGiven(request: Request, given: TraceContext): ActiveSpan {
    const isTrusted = isFromFriend(request, trustsProxies)
    const parent = isTrusted ? given : null
    const span = tracing.root(request.method, { kind: SpanKinds.Server, parent })
    // What a stranger sends decides nothing, but the two traces can be found from each other.
    if (!isTrusted) span.addLink({ context: given })
    return span
  }
}

function handled(request: Request, response: Response): void {
  if (!request.isWatched) return
  const span = request.activity?.span
  if (!(span instanceof ActiveSpan)) return
  const { code } = response
  if (code >= 500) span.fail(String(code))
  if (request.handledMs === 0) request.handledMs = performance.now()
  const endMs = request.handledMs
  span.end(endMs, span.isWorthIt(endMs) ? new RequestDetails(request, code) : null)
}

function contextOf(request: Request): TraceContext | null {
  if (request.headers['traceparent'] === undefined) return null
  return parseTraceContext(request.header('traceparent'), request.header('tracestate'))
}

function isFromFriend(request: Request, trustsProxies: boolean): boolean {
  const { client } = request
  if (client !== null && isPrivateAddress(client)) return true
  // Most proxies pass on what strangers send.
  return request.isFromTrustedProxy && (trustsProxies || !isForwarded(request.headers))
}

/** Notes in the trace of a request when its handler runs. */
const watchHandlers: HandlerWatch = {
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
