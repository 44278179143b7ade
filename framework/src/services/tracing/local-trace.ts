import { pooledRandomWord } from '../../base/crypto/random-pool.ts'
import { Decisions } from './sampler.ts'
import { newSpanId, wordHex } from './span-ids.ts'
import type { SpanRecord, SpanSink } from './span-record.ts'
import type { TraceContext } from './trace-context.ts'

/** A trace that may turn out not to be worth exporting keeps at most this many spans in memory. */
const maxPending = 256

/** When the handler of a request ran, and the ids of the spans made of that. */
export class HandlerPhase {
  readonly startMs: number
  endMs: number = Number.POSITIVE_INFINITY
  readonly route: string
  readonly middlewares: number
  #ids: readonly [string, string] | null = null

  constructor(startMs: number, route: string, middlewares: number) {
    this.startMs = startMs
    this.route = route
    this.middlewares = middlewares
  }

  get middlewaresId(): string {
    return this.#made()[0]
  }

  get handlerId(): string {
    return this.#made()[1]
  }

  /** The span in which something began; null for the request itself. */
  parentAt(ms: number): string | null {
    if (ms < this.startMs) return this.middlewares === 0 ? null : this.middlewaresId
    return ms < this.endMs ? this.handlerId : null
  }

  #made(): readonly [string, string] {
    this.#ids ??= [newSpanId(), newSpanId()]
    return this.#ids
  }
}

/** The part of a trace that belongs to one request, job or command of this process. */
export class LocalTrace {
  readonly sink: SpanSink
  /** Where it continues; null if the trace begins here. */
  readonly remote: TraceContext | null
  decision: Decisions = Decisions.Drop
  phase: HandlerPhase | null = null
  // Ids are made only when something needs them: most traces are never seen.
  #traceId: string | null
  readonly #high: number
  readonly #low: number
  #pending: SpanRecord[] | null = null

  constructor(sink: SpanSink, remote: TraceContext | null) {
    this.sink = sink
    this.remote = remote
    this.#traceId = remote?.traceId ?? null
    this.#high = remote === null ? pooledRandomWord() : 0
    this.#low = remote === null ? pooledRandomWord() || 1 : 0
  }

  get traceId(): string {
    this.#traceId ??=
      wordHex(pooledRandomWord()) +
      wordHex(pooledRandomWord()) +
      wordHex(this.#high) +
      wordHex(this.#low)
    return this.#traceId
  }

  /** The last 56 bits of its id. */
  get randomness(): number {
    if (this.remote !== null) return Number.parseInt(this.remote.traceId.slice(-14), 16)
    return (this.#high & 0xff_ffff) * 2 ** 32 + this.#low
  }

  /** Takes a finished span. */
  add(record: SpanRecord): void {
    if (this.decision === Decisions.Record) this.sink.keep(record)
    else if (this.decision === Decisions.Late) this.#wait(record)
  }

  /** Decides what becomes of a trace that was kept only for now. */
  conclude(isWorthIt: boolean): void {
    if (this.decision !== Decisions.Late) return
    this.decision = isWorthIt ? Decisions.Record : Decisions.Drop
    if (isWorthIt) for (const record of this.#pending ?? []) this.sink.keep(record)
    this.#pending = null
  }

  #wait(record: SpanRecord): void {
    this.#pending ??= []
    if (this.#pending.length < maxPending) this.#pending.push(record)
    else this.sink.lose()
  }
}
