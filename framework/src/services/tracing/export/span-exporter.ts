import { performance } from 'node:perf_hooks'
import { setImmediate as turn } from 'node:timers/promises'
import { Scopes } from '../../activity/scopes.ts'
import { deliver } from '../../observability/ship/deliver.ts'
import type { DeliveryOptions } from '../../observability/ship/deliver.ts'
import type { Compressions } from '../../observability/ship/compressions.ts'
import { createShipRequest } from '../../observability/ship/post-request.ts'
import type { CollectorPost } from '../../observability/ship/post-request.ts'
import type { Receiver } from '../../observability/ship/receiver.ts'
import { ShipResults } from '../../observability/ship/ship-outcome.ts'
import type { ShipOutcome } from '../../observability/ship/ship-outcome.ts'
import { followSystemClock } from '../epoch-clock.ts'
import type { SpanRecord } from '../span-record.ts'

/** Options of `SpanExporter`. */
export interface SpanExporterOptions {
  readonly receiver: Receiver
  /** The attributes of this process, as OTLP JSON. */
  readonly resource: string
  /** Spans that may wait; more are dropped. */
  readonly maxQueue: number
  /** Spans of one request to the collector. */
  readonly maxBatch: number
  /** Time after which spans are exported even if they do not fill a batch. */
  readonly delayMs: number
  readonly compression: Compressions
  readonly delivery: DeliveryOptions
  /** Told once when the collector stops accepting spans, and once when it accepts them again. */
  readonly told: (text: string, context: Readonly<Record<string, unknown>>) => void
}

/** Numbers of spans since the start of the process. */
export interface SpanCounts {
  exported: number
  /** The queue was full, or a trace had too many spans. */
  overflowed: number
  /** The collector did not accept them. */
  refused: number
}

/** Spans that are encoded at least before other work gets its turn: well below a millisecond. */
const slice = 64
/** Encoding gives others their turn after this time. */
const turnMs = 2

/** Sending a batch takes up to four times as long as encoding it: together they get a twentieth of a processor. */
const restFactor = 100
/** A process that was suspended while it encoded would otherwise rest for hours. */
const maxRestMs = 10_000

/** Exports spans in the background. It never throws and never waits for the collector. */
export class SpanExporter {
  readonly counts: SpanCounts
  readonly #options: SpanExporterOptions
  #queue: SpanRecord[] = []
  #timer: NodeJS.Timeout | null = null
  #exporting: Promise<void> | null = null
  #isFailing = false
  /** From the moment the queue is full until a rest ends with less than a batch. */
  #isOverloaded = false
  /** How long encoding the last batch took. */
  #encodedMs = 0
  readonly #stopping = new AbortController()
  readonly #ending = new AbortController()

  constructor(options: SpanExporterOptions, counts: SpanCounts) {
    this.#options = options
    this.counts = counts
  }

  /**
   * Whether a trace that begins now should be left out. A burst may fill the queue; if more keeps coming
   * than can be exported, one batch waits: what arrives is recent, and fewer spans grow old in memory.
   */
  get isOverloaded(): boolean {
    return this.#isOverloaded && this.#queue.length >= this.#options.maxBatch
  }

  /** Queues a span. */
  add(record: SpanRecord): void {
    const { maxQueue, maxBatch, delayMs } = this.#options
    if (this.#queue.length >= maxQueue || this.#stopping.signal.aborted) {
      this.counts.overflowed += 1
      return
    }
    const waiting = this.#queue.push(record)
    if (waiting >= maxQueue) this.#isOverloaded = true
    if (this.#exporting !== null) return
    // Outside of the request that happened to end this span: the export is not part of it.
    if (waiting >= maxBatch) this.#start()
    else if (this.#timer === null) {
      this.#timer = Scopes.runOutside(() => setTimeout(() => this.#start(), delayMs)).unref()
    }
  }

  /** Exports what waits, within the time; what is left then is dropped. */
  async close(timeoutMs: number): Promise<void> {
    this.#stopTimer()
    // Ends the rest, and the pauses between attempts.
    this.#stopping.abort()
    const timer = setTimeout(() => this.#giveUp(), timeoutMs)
    await this.#exporting
    while (this.#queue.length > 0) await Scopes.runOutside(() => this.#exportBatch())
    clearTimeout(timer)
  }

  #giveUp(): void {
    this.counts.refused += this.#queue.length
    this.#queue = []
    this.#ending.abort()
  }

  #start(): void {
    this.#stopTimer()
    this.#exporting ??= Scopes.runOutside(() => this.#run())
  }

  async #run(): Promise<void> {
    const { maxBatch, delayMs, delivery } = this.#options
    const { signal } = this.#stopping
    // Not in the middle of a request.
    await turn()
    do {
      const startMs = delivery.clock.now()
      await this.#exportBatch()
      // While more spans come than a twentieth of a processor can export, some are left out: better than
      // slow requests.
      const wholeMs = Math.min(this.#encodedMs * restFactor, maxRestMs)
      const leftMs = startMs + wholeMs - delivery.clock.now()
      // The system clock may have been set.
      await delivery.clock.sleep(Math.min(Math.max(leftMs, 0), wholeMs), signal)
    } while (this.#queue.length >= maxBatch && !signal.aborted)
    this.#exporting = null
    this.#isOverloaded = false
    if (this.#queue.length > 0 && !signal.aborted) {
      this.#timer ??= setTimeout(() => this.#start(), delayMs).unref()
    }
  }

  async #exportBatch(): Promise<void> {
    const { maxBatch, receiver, compression, delivery } = this.#options
    const batch = this.#queue.splice(0, maxBatch)
    if (batch.length === 0) return
    try {
      const json = await this.#encode(batch)
      const request = await createShipRequest(receiver, json, compression)
      // At the end there is one attempt: a collector that is away must not hold up the process.
      const { signal } = this.#stopping
      const limits = signal.aborted ? { ...delivery, attempts: 1 } : { ...delivery, signal }
      const fetch = this.#fetch
      this.#count(batch.length, await deliver(request, { ...limits, fetch }))
    } catch (thrown) {
      this.counts.refused += batch.length
      this.#tell(thrown instanceof Error ? thrown.message : String(thrown))
    }
  }

  // When the time is up even an attempt that waits for its response ends.
  readonly #fetch: CollectorPost = (url, init) => {
    const signals = [this.#ending.signal, ...(init.signal === null ? [] : [init.signal])]
    return this.#options.delivery.fetch(url, { ...init, signal: AbortSignal.any(signals) })
  }

  async #encode(batch: readonly SpanRecord[]): Promise<string> {
    followSystemClock()
    const scopes = new Map<string, string>()
    let startMs = performance.now()
    this.#encodedMs = 0
    for (const [at, record] of batch.entries()) {
      if (at > 0 && at % slice === 0) {
        const tookMs = performance.now() - startMs
        if (tookMs >= turnMs) {
          this.#encodedMs += tookMs
          await turn()
          startMs = performance.now()
        }
      }
      const before = scopes.get(record.scope)
      scopes.set(record.scope, before === undefined ? record.json() : `${before},${record.json()}`)
    }
    this.#encodedMs += performance.now() - startMs
    const lists = Array.from(
      scopes,
      ([name, spans]) => `{"scope":{"name":${JSON.stringify(name)}},"spans":[${spans}]}`,
    )
    const { resource } = this.#options
    return `{"resourceSpans":[{"resource":${resource},"scopeSpans":[${lists.join(',')}]}]}`
  }

  #count(spans: number, { result, notice }: ShipOutcome): void {
    if (result !== ShipResults.Sent) {
      this.counts.refused += spans
      this.#tell(notice ?? result)
      return
    }
    this.counts.exported += spans
    // It rejected some of them.
    if (notice !== null) return this.#tell(notice)
    if (this.#isFailing) this.#options.told('spans are exported again', {})
    this.#isFailing = false
  }

  #tell(reason: string): void {
    if (!this.#isFailing) this.#options.told('spans could not be exported', { reason })
    this.#isFailing = true
  }

  #stopTimer(): void {
    if (this.#timer !== null) clearTimeout(this.#timer)
    this.#timer = null
  }
}
