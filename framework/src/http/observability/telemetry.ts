import { lateModule } from '../../base/late-module.ts'
import { Emitter } from '../../events/emitter.ts'
import type { SpanIds } from '../../activity/activity.ts'
import type { Observability } from '../../metrics/observability.ts'
import { RequestEvents } from '../request/request-events.ts'
import type { Request } from '../request/request.ts'
import type { Response } from '../response/response.ts'
import type { RouteSummary } from '../router/route.ts'
import type * as Metrics from './telemetry-metrics.ts'
import type * as Tracing from '../../tracing/tracer.ts'

// Most processes that load the server have no telemetry, and fewer have tracing.
const loadTelemetryMetrics = lateModule<typeof Metrics>(import.meta, './telemetry-metrics')
const loadTracing = lateModule<typeof Tracing>(import.meta, '../../tracing/tracer')

/** Options of `Telemetry`. */
export interface TelemetryOptions {
  /** The emitter of the server. @default Emitter.Instance */
  readonly emitter?: Emitter
  /** Monotonic milliseconds. @default performance.now */
  readonly nowMs?: () => number
  /** The declared routes; called once, with the first request. @default none */
  readonly routes?: () => readonly RouteSummary[]
}

/** A handler that still runs this long after its client disconnected no longer counts as in flight. */
const abandonedMs = 120_000

let made = 0

/**
 * Measures requests by the events of the server: number, duration, status class, requests in flight,
 * and durations by route. Nothing is recorded before `boot`.
 */
export class Telemetry {
  readonly #observability: Observability
  readonly #emitter: Emitter
  readonly #metrics: Metrics.RequestMetrics
  readonly #nowMs: () => number
  readonly #declaredRoutes: () => readonly RouteSummary[]
  /**
   * The bit of this object in `request.measured`: a server may have several, each listening since a
   * different time. With more than 31 on one emitter, some would share a bit.
   */
  readonly #mark = 1 << (made++ % 31)
  /** Requests in flight whose client has disconnected, and when. */
  readonly #left = new Map<Request, number>()
  /** Created with the first request, when the routes are final. */
  #routes: Metrics.RouteDurations | null = null
  #stop: (() => void) | null = null

  constructor(observability: Observability, options: TelemetryOptions = {}) {
    const { emitter = Emitter.Instance, nowMs = () => performance.now() } = options
    const { routes = () => [] } = options
    this.#observability = observability
    this.#emitter = emitter
    this.#nowMs = nowMs
    this.#declaredRoutes = routes
    const { RequestMetrics } = loadTelemetryMetrics()
    this.#metrics = new RequestMetrics(() => this.#sweep())
  }

  /** Adds the instruments to the registry and starts listening; further calls have no effect. */
  boot(): void {
    if (this.#stop !== null) return
    const { metrics } = this.#observability
    const { requests, durations, inFlight, responses } = this.#metrics
    for (const one of [requests, durations, inFlight, ...responses]) metrics.push(one)
    const emitter = this.#emitter
    const stops = [
      emitter.listen(RequestEvents.Received, (request) => this.#received(request)),
      emitter.listen(RequestEvents.Gone, (request) => {
        if ((request.measured & this.#mark) !== 0) this.#left.set(request, this.#nowMs())
      }),
      emitter.listen(RequestEvents.Handled, (request, response) =>
        this.#handled(request, response),
      ),
    ]
    this.#stop = () => {
      for (const stop of stops) stop()
    }
  }

  /** Stops listening; the counts stay in the registry. */
  stop(): void {
    this.#stop?.()
    this.#stop = () => {}
  }

  #received(request: Request): void {
    if (request.receivedMs === 0) request.receivedMs = this.#nowMs()
    request.measured |= this.#mark
    this.#metrics.received += 1
  }

  #handled(request: Request, response: Response): void {
    // It arrived before this object listened, or was already counted as finished.
    if ((request.measured & this.#mark) === 0) return
    if (this.#left.size > 0) this.#left.delete(request)
    // A client that disconnected got no response of any class. `gone` is slow, so it is checked last.
    const isSent = request.responded || !request.gone
    if (request.handledMs === 0) request.handledMs = this.#nowMs()
    this.#end(request, isSent ? response.code : 0, request.handledMs)
    if (isSent) this.#metrics.responses[Math.floor(response.code / 100) - 1]?.increment()
  }

  /** `status` is 0 if no response was sent. */
  #end(request: Request, status: number, endMs: number): void {
    request.measured &= ~this.#mark
    this.#metrics.handled += 1
    const seconds = (endMs - request.receivedMs) / 1000
    const exemplar = exemplarOf(request)
    this.#metrics.durations.observe(seconds, exemplar)
    const routes = this.#routes ?? this.#bindRoutes()
    routes.observe(request.method, request.route, status, seconds, exemplar)
  }

  #bindRoutes(): Metrics.RouteDurations {
    const { RouteDurations } = loadTelemetryMetrics()
    this.#routes = new RouteDurations(this.#declaredRoutes())
    this.#observability.metrics.push(this.#routes.histogram)
    return this.#routes
  }

  // Done when the number in flight is read, without a timer.
  #sweep(): void {
    const nowMs = this.#nowMs()
    for (const [request, leftMs] of this.#left) {
      // They are in the order of disconnecting: all that follow are later.
      if (nowMs - leftMs < abandonedMs) return
      this.#left.delete(request)
      this.#end(request, 0, nowMs)
    }
  }
}

/** The span of a request, for the metrics that count it; undefined unless the collector gets that span. */
function exemplarOf({ activity, isWatched }: Request): SpanIds | undefined {
  if (!isWatched) return undefined
  const span = activity?.span ?? null
  return loadTracing().isOpenSpan(span) && span.sampled ? span : undefined
}
