import { performance } from 'node:perf_hooks'
import { Emitter } from '../services/events/emitter.ts'
import type { Counter } from '../services/observability/metrics/counter.ts'
import type { Histogram } from '../services/observability/metrics/histogram.ts'
import type { Observability } from '../services/observability/observability.ts'
import { loadTelemetryInstruments } from './load-telemetry-instruments.ts'
import { RequestEvents } from './request/request-events.ts'
import type { Request } from './request/request.ts'
import type { Response } from './response/response.ts'
import type { RequestCounts, TelemetryInstruments } from './telemetry-instruments.ts'

/** What telemetry takes besides its registry. */
export interface TelemetryOptions {
  /** The bus of the server; the shared one unless given. */
  readonly emitter?: Emitter
  /** Milliseconds that only ever grow. @default performance.now */
  readonly nowMs?: () => number
}

/** A handler that goes on for this long after its client left counts as over. */
const abandonedMs = 120_000

let made = 0

/**
 * Measures requests by the events of the server: how many, how long, with which outcome, how many at
 * once. Nothing is recorded before `boot`.
 */
export class Telemetry {
  readonly #observability: Observability
  readonly #emitter: Emitter
  readonly #instruments: TelemetryInstruments
  readonly #nowMs: () => number
  readonly #counts: RequestCounts = { received: 0, handled: 0 }
  /**
   * Marks the requests that this one counts as under way: a server may have several, and each began to
   * listen at its own time. Of more than 31 on one bus some would share a mark.
   */
  readonly #mark = 1 << (made++ % 31)
  /** Requests under way whose client has left, and when. */
  readonly #left = new Map<Request, number>()
  readonly #durations: Histogram
  /** By the first digit of the status. */
  readonly #responses: readonly Counter[]
  #stop: (() => void) | null = null

  constructor(observability: Observability, options: TelemetryOptions = {}) {
    const { emitter = Emitter.Instance, nowMs = () => performance.now() } = options
    this.#observability = observability
    this.#emitter = emitter
    this.#nowMs = nowMs
    const { createTelemetryInstruments } = loadTelemetryInstruments()
    this.#instruments = createTelemetryInstruments(this.#counts, () => this.#sweep())
    this.#durations = this.#instruments.durations
    this.#responses = this.#instruments.responses
  }

  /** Puts the instruments into the registry and begins to listen; a second call changes nothing. */
  boot(): void {
    if (this.#stop !== null) return
    const { metrics } = this.#observability
    const { requests, durations, inFlight, responses } = this.#instruments
    for (const one of [requests, durations, inFlight, ...responses]) metrics.push(one)
    const emitter = this.#emitter
    const stops = [
      emitter.listen(RequestEvents.Received, (request) => this.#received(request)),
      emitter.listen(RequestEvents.Gone, (request) => this.#gone(request)),
      emitter.listen(RequestEvents.Handled, (request, response) =>
        this.#handled(request, response),
      ),
    ]
    this.#stop = () => {
      for (const stop of stops) stop()
    }
  }

  /** Stops listening; what was counted stays in the registry. */
  stop(): void {
    this.#stop?.()
    this.#stop = () => {}
  }

  #received(request: Request): void {
    request.receivedMs = this.#nowMs()
    request.measured |= this.#mark
    this.#counts.received += 1
  }

  #gone(request: Request): void {
    if ((request.measured & this.#mark) !== 0) this.#left.set(request, this.#nowMs())
  }

  #handled(request: Request, response: Response): void {
    // It arrived before anybody listened, or its end was told before.
    if ((request.measured & this.#mark) === 0) return
    if (this.#left.size > 0) this.#left.delete(request)
    this.#end(request, this.#nowMs())
    // A client that went away got no answer of any class. To ask the connection costs more than the rest.
    if (request.answered || !request.gone)
      this.#responses[Math.floor(response.code / 100) - 1]?.increment()
  }

  #end(request: Request, nowMs: number): void {
    request.measured &= ~this.#mark
    this.#counts.handled += 1
    this.#durations.observe((nowMs - request.receivedMs) / 1000)
  }

  // When somebody asks how many are in flight, and not by a timer of its own.
  #sweep(): void {
    const nowMs = this.#nowMs()
    for (const [request, leftMs] of this.#left) {
      // In the order they left: all that follow have left later.
      if (nowMs - leftMs < abandonedMs) return
      this.#left.delete(request)
      this.#end(request, nowMs)
    }
  }
}
