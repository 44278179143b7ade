import { performance } from 'node:perf_hooks'
import { setImmediate as turn } from 'node:timers/promises'
import { toError } from '../base/to-error.ts'
import { CurrentWork } from '../activity/current-work.ts'
import type { Compressions } from '../otlp/post.ts'
import { deliverUntilStop } from '../otlp/deliver.ts'
import type { DeliveryOptions } from '../otlp/deliver.ts'
import { createShipRequest } from '../otlp/post.ts'
import type { Receiver } from '../otlp/receiver.ts'
import { ShipResults } from '../otlp/deliver.ts'
import type { ShipOutcome } from '../otlp/deliver.ts'
import { followSystemClock } from './epoch-clock.ts'
import type { FinishedSpan, SpanSink } from './otlp-span.ts'
import { SpanBatch } from './span-batch.ts'

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
  readonly delivery: Omit<DeliveryOptions, 'signal' | 'abandoned'>
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

/** As many spans are encoded together: one at a time, the code would have to be loaded anew for each. */
const maxTogether = 64
/** What may wait as bytes; more spans are dropped. */
const maxQueueBytes = 16_777_216

/**
 * What the spans of a batch take in their requests, and sending them, is up to four times as long as encoding
 * them: together they get a twentieth of a processor.
 */
const restFactor = 100
/** A process that was suspended while it encoded would otherwise rest for hours. */
const maxRestMs = 10_000

/** Exports spans in the background. It never throws and never waits for the collector. */
export class SpanExporter implements SpanSink {
  readonly counts: SpanCounts
  readonly #options: SpanExporterOptions
  readonly #together: number
  /** Not encoded yet. */
  #finished: FinishedSpan[] = []
  /** Encoded spans; all but the last batch are full. */
  #batches: SpanBatch[] = []
  /** Number of spans that wait, encoded or not. */
  #waiting = 0
  #timer: NodeJS.Timeout | undefined
  #exporting: Promise<void> | null = null
  #isFailing = false
  #isClosed = false
  /** From the moment the queue is full until a rest ends with less than a batch. */
  #isOverloaded = false
  readonly #stopping = new AbortController()
  readonly #abandoned = new AbortController()

  constructor(options: SpanExporterOptions, counts: SpanCounts) {
    this.#options = options
    this.#together = Math.min(maxTogether, options.maxBatch)
    this.counts = counts
  }

  /**
   * Whether a trace that begins now should be left out. A burst may fill the queue; if more keeps coming
   * than can be exported, one batch waits: what arrives is recent.
   */
  get isOverloaded(): boolean {
    return this.#isOverloaded && this.#waiting >= this.#options.maxBatch
  }

  enqueue(span: FinishedSpan): void {
    const { maxQueue, maxBatch, delayMs } = this.#options
    if (this.#waiting >= maxQueue || this.#isClosed) return this.countDropped()
    this.#finished.push(span)
    this.#waiting += 1
    if (this.#waiting >= maxQueue) this.#isOverloaded = true
    if (this.#finished.length >= this.#together) this.#encode()
    if (this.#exporting !== null) return
    // Outside of the request that happened to end this span: the export is not part of it.
    if (this.#waiting >= maxBatch) this.#start()
    else {
      this.#timer ??= CurrentWork.runOutside(() => setTimeout(() => this.#start(), delayMs)).unref()
    }
  }

  countDropped(): void {
    this.counts.overflowed += 1
  }

  countFailed(thrown: unknown, spans = 1): void {
    this.counts.refused += spans
    this.#tell(toError(thrown).message)
  }

  /** Exports what waits, within the time; what is left then is dropped. */
  async close(timeoutMs: number): Promise<void> {
    this.#stopTimer()
    this.#isClosed = true
    // Ends the rest, and the pauses between attempts.
    this.#stopping.abort()
    const timer = setTimeout(() => this.#giveUp(), timeoutMs)
    await this.#exporting
    this.#encode()
    while (this.#batches.length > 0) await CurrentWork.runOutside(() => this.#exportBatch())
    clearTimeout(timer)
  }

  #giveUp(): void {
    // Even an attempt that waits for its response ends.
    this.#abandoned.abort(new Error('the process ends'))
    this.counts.refused += this.#waiting
    this.#finished = []
    this.#batches = []
    this.#waiting = 0
  }

  /** Encodes what waits. It takes well below a millisecond. */
  #encode(): void {
    const startMs = performance.now()
    const finished = this.#finished
    this.#finished = []
    for (const span of finished) {
      const batch = this.#openBatch()
      if (batch === null) {
        this.#waiting -= 1
        this.countDropped()
      } else batch.add(span)
    }
    const batch = this.#batches.at(-1)
    if (batch !== undefined) batch.encodedMs += performance.now() - startMs
  }

  /** The batch that has space; null if too many bytes wait. */
  #openBatch(): SpanBatch | null {
    const last = this.#batches.at(-1)
    if (last !== undefined && last.spans < this.#options.maxBatch && !last.isTooLong) return last
    const bytes = this.#batches.reduce((sum, batch) => sum + batch.bytes, 0)
    if (bytes >= maxQueueBytes) return null
    const batch = new SpanBatch(this.#options.resource)
    this.#batches.push(batch)
    return batch
  }

  #start(): void {
    this.#stopTimer()
    this.#exporting ??= CurrentWork.runOutside(() => this.#run())
  }

  async #run(): Promise<void> {
    const { maxBatch, delayMs, delivery } = this.#options
    const { signal } = this.#stopping
    // Not in the middle of a request.
    await turn()
    do {
      const startMs = delivery.clock.now()
      const encodedMs = await this.#exportBatch()
      // While more spans come than a twentieth of a processor can export, some are left out: better than
      // slow requests.
      const wholeMs = Math.min(encodedMs * restFactor, maxRestMs)
      const leftMs = startMs + wholeMs - delivery.clock.now()
      // The system clock may have been set.
      await delivery.clock.sleep(Math.min(Math.max(leftMs, 0), wholeMs), signal)
    } while (this.#waiting >= maxBatch && !signal.aborted)
    this.#exporting = null
    this.#isOverloaded = false
    if (this.#waiting > 0 && !signal.aborted) {
      this.#timer ??= setTimeout(() => this.#start(), delayMs).unref()
    }
  }

  /** Returns how long encoding it took. */
  async #exportBatch(): Promise<number> {
    const { receiver, compression, delivery } = this.#options
    if (this.#batches.length === 0) this.#encode()
    const batch = this.#batches.shift()
    if (batch === undefined) return 0
    followSystemClock()
    this.#waiting -= batch.spans
    try {
      const request = await createShipRequest(receiver, batch.end(), compression)
      const outcome = await deliverUntilStop(request, delivery, {
        stopping: this.#stopping.signal,
        abandoned: this.#abandoned.signal,
      })
      this.#count(batch.spans, outcome)
    } catch (thrown) {
      this.countFailed(thrown, batch.spans)
    }
    return batch.encodedMs
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
    clearTimeout(this.#timer)
    this.#timer = undefined
  }
}
