import { deliverUntilStop } from '../otlp/deliver.ts'
import type { OtlpSettings } from '../otlp/otlp-settings.ts'
import { createShipRequest } from '../otlp/post.ts'
import type { Post } from '../otlp/post.ts'
import { receiverAt } from '../otlp/receiver.ts'
import type { Receiver } from '../otlp/receiver.ts'
import { systemClock } from '../otlp/ship-clock.ts'
import type { ShipClock } from '../otlp/ship-clock.ts'
import { ShipResults } from '../otlp/ship-outcome.ts'
import type { Incident } from './incident.ts'
import type { IncidentTarget, SendOutcome, ReportSource } from './incident-target.ts'
import { otlpLogs } from './otlp-logs.ts'

/** How a collector takes logs. */
export interface OtlpLogOptions extends Omit<OtlpSettings, 'service' | 'attributes'> {
  /** Replaces the clock, for tests. */
  readonly clock?: ShipClock
  /** Replaces the HTTP client, for tests. */
  readonly fetch?: Post
}

/** Attempts to send the same incidents, in so many seconds. */
const attempts = 5
const retryFor = 60

/** Sends incidents to a collector as OTLP logs, with the retries that metrics get too. */
export class OtlpLogTarget implements IncidentTarget {
  readonly name = 'otlp'
  readonly batchSize = 50
  readonly #receiver: Receiver
  readonly #options: OtlpLogOptions
  readonly #source: ReportSource
  readonly #stopping = new AbortController()
  readonly #abandoned = new AbortController()

  /** @throws InvalidArgumentException for an invalid endpoint or header, without showing it. */
  constructor(options: OtlpLogOptions, source: ReportSource) {
    const { endpoint, headers, isWholeUrl } = options
    this.#receiver = receiverAt(endpoint, headers, isWholeUrl ? '' : '/v1/logs')
    this.#options = options
    this.#source = source
  }

  async send(incidents: readonly Incident[]): Promise<SendOutcome> {
    const { timeoutMs, compression, clock = systemClock, fetch } = this.#options
    const json = otlpLogs(incidents, this.#source, Date.now())
    const { result, notice } = await deliverUntilStop(
      await createShipRequest(this.#receiver, json, compression),
      { attempts, retryFor, timeoutMs, clock, ...(fetch !== undefined && { fetch }) },
      { stopping: this.#stopping.signal, abandoned: this.#abandoned.signal },
    )
    return { isSent: result === ShipResults.Sent, notice }
  }

  stop(): void {
    this.#stopping.abort()
  }

  abandon(): void {
    this.#abandoned.abort()
  }
}
