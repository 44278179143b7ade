import { performance } from 'node:perf_hooks'
import { Emitter } from '../services/events/emitter.ts'
import type { Counter } from '../services/observability/metrics/counter.ts'
import type { Histogram } from '../services/observability/metrics/histogram.ts'
import type { Observability } from '../services/observability/observability.ts'
import { loadTelemetryInstruments } from './load-telemetry-instruments.ts'
import { RequestEvents } from './request/events.ts'
import type { Request } from './request/request.ts'
import type { Response } from './response/response.ts'
import type { RequestCounts, TelemetryInstruments } from './telemetry-instruments.ts'

/** What telemetry takes besides its registry. */
export interface TelemetryOptions {
  /** The bus of the server; the shared one unless given. */
  readonly emitter?: Emitter
}

/**
 * Measures requests by the events of the server: how many, how long, with which outcome, how many at
 * once. Nothing is recorded before `boot`.
 */
export class Telemetry {
  readonly #observability: Observability
  readonly #emitter: Emitter
  readonly #instruments: TelemetryInstruments
  readonly #counts: RequestCounts = { received: 0, handled: 0 }
  readonly #durations: Histogram
  /** By the first digit of the status. */
  readonly #responses: readonly Counter[]
  #stop: (() => void) | null = null

  constructor(observability: Observability, { emitter = Emitter.Instance }: TelemetryOptions = {}) {
    this.#observability = observability
    this.#emitter = emitter
    this.#instruments = loadTelemetryInstruments().createTelemetryInstruments(this.#counts)
    this.#durations = this.#instruments.durations
    this.#responses = this.#instruments.responses
  }

  /** Puts the instruments into the registry and begins to listen; a second call changes nothing. */
  boot(): void {
    if (this.#stop !== null) return
    const { metrics } = this.#observability
    const { requests, durations, inFlight, responses } = this.#instruments
    for (const one of [requests, durations, inFlight, ...responses]) metrics.push(one)
    const received = this.#emitter.listen(RequestEvents.Received, (request) =>
      this.#received(request),
    )
    const handled = this.#emitter.listen(RequestEvents.Handled, (request, response) =>
      this.#handled(request, response),
    )
    this.#stop = () => {
      received()
      handled()
    }
  }

  /** Stops listening; what was counted stays in the registry. */
  stop(): void {
    this.#stop?.()
    this.#stop = () => {}
  }

  #received(request: Request): void {
    request.receivedMs = performance.now()
    this.#counts.received += 1
  }

  #handled(request: Request, response: Response): void {
    // It arrived before anybody listened.
    if (request.receivedMs === 0) return
    this.#counts.handled += 1
    this.#durations.observe((performance.now() - request.receivedMs) / 1000)
    // A client that went away got no answer of any class. To ask the connection costs more than the rest.
    if (request.answered || !request.gone)
      this.#responses[Math.floor(response.code / 100) - 1]?.increment()
  }
}
