import { pooledRandomWord } from '../../base/crypto/random-pool.ts'
import { Decisions } from './sampler.ts'
import { newSpanId, wordHex } from './span-ids.ts'
import type { SpanRecord, SpanSink } from './span-record.ts'
import type { TraceContext } from './trace-context.ts'

/** A trace that may turn out not to be worth exporting keeps at most this many spans in memory. */
const maxPending = 256

/** A shorter phase with nothing inside is no span: it would say nothing that the request does not. */
const minPhaseMs = 1

/** When the handler of a request ran, and the ids of the spans made of that. */
export class HandlerPhase {
  readonly startMs: number
  readonly route: string
  /** Number of middlewares before it. */
  readonly middlewares: number
  /** When it ended; by default with the request. */
  endMs: number = Number.POSITIVE_INFINITY
  /** What begins later is not part of it. */
  untilMs: number = Number.POSITIVE_INFINITY
  #hasEarly: boolean
  #hasInside = false
  #ids: readonly [string, string] | null = null

  constructor(startMs: number, route: string, middlewares: number, hasEarly: boolean) {
    this.startMs = startMs
    this.route = route
    this.middlewares = middlewares
    this.#hasEarly = hasEarly
  }

  get middlewaresId(): string {
    return this.#made()[0]
  }

  get handlerId(): string {
    return this.#made()[1]
  }

  /** Notes that a span began at this time. */
  claim(ms: number): void {
    if (ms < this.startMs) this.#hasEarly = true
    else if (ms < this.untilMs) this.#hasInside = true
  }

  /** The span in which something began; null for the request itself. */
  parentAt(ms: number): string | null {
    if (ms < this.startMs) return this.middlewares === 0 ? null : this.middlewaresId
    return ms < this.untilMs ? this.handlerId : null
  }

  /** Which of the two are worth a span, in a request from `fromMs` to `toMs`. */
  worth(
    fromMs: number,
    toMs: number,
  ): { readonly middlewares: boolean; readonly handler: boolean } {
    const early = this.startMs - fromMs
    const middlewares = this.middlewares > 0 && (this.#hasEarly || early >= minPhaseMs)
    const took = Math.min(this.endMs, toMs) - this.startMs
    return { middlewares, handler: this.#hasInside || middlewares || took >= minPhaseMs }
  }

  #made(): readonly [string, string] {
    this.#ids ??= [newSpanId(), newSpanId()]
    return this.#ids
  }
}

/** The last 56 bits of an id that ends with these words. */
export function randomnessOf(high: number, low: number): number {
  return (high & 0xff_ffff) * 2 ** 32 + low
}

/** The part of a trace that belongs to one request, job or command of this process. */
export class LocalTrace {
  readonly sink: SpanSink
  /** Where it continues; null if the trace begins here. */
  readonly remote: TraceContext | null
  decision: Decisions = Decisions.Drop
  phase: HandlerPhase | null = null
  /** When its last step ended; 0 before the first. Asking the clock is most of what a span costs. */
  lastMs = 0
  /** Whether the code that began the request has not returned yet. */
  isEntering = false
  /** Whether something began before the handler. */
  hasEarly = false
  // Ids are made only when something needs them: most traces are never seen.
  #traceId: string | null
  readonly #high: number
  readonly #low: number
  #pending: SpanRecord[] | null = null

  /** `high` and `low` are the last words of its id if it begins here. */
  constructor(
    sink: SpanSink,
    remote: TraceContext | null,
    high: number = pooledRandomWord(),
    low: number = pooledRandomWord(),
  ) {
    this.sink = sink
    this.remote = remote
    this.#traceId = remote?.traceId ?? null
    this.#high = high
    this.#low = low || 1
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
    return randomnessOf(this.#high, this.#low)
  }

  /** Notes that a span began directly below the root. */
  claim(ms: number): void {
    if (this.phase === null) this.hasEarly = true
    else this.phase.claim(ms)
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
