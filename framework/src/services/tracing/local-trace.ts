import { Holder } from './held-traces.ts'
import { Decisions } from './sampler.ts'
import { SpanId, randomWord, wordAt, wordHex } from './span-ids.ts'
import type { SpanRecord, SpanSink } from './span-record.ts'
import type { TraceContext } from './trace-context.ts'

/** At most this many spans of a trace wait for its end. */
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
  #middlewaresId: SpanId | null = null
  #handlerId: SpanId | null = null

  constructor(startMs: number, route: string, middlewares: number, hasEarly: boolean) {
    this.startMs = startMs
    this.route = route
    this.middlewares = middlewares
    this.#hasEarly = hasEarly
  }

  get middlewaresId(): SpanId {
    this.#middlewaresId ??= SpanId.random()
    return this.#middlewaresId
  }

  get handlerId(): SpanId {
    this.#handlerId ??= SpanId.random()
    return this.#handlerId
  }

  /** Notes that a span began at this time. */
  claim(ms: number): void {
    if (ms < this.startMs) this.#hasEarly = true
    else if (ms < this.untilMs) this.#hasInside = true
  }

  /** The span in which something began; null for the request itself. */
  parentAt(ms: number): SpanId | null {
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
}

/** The last 56 bits of an id that ends with these words. */
export function randomnessOf(high: number, low: number): number {
  return (high & 0xff_ffff) * 2 ** 32 + (low >>> 0)
}

/** The part of a trace that belongs to one request, job or command of this process. */
export class LocalTrace extends Holder {
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
  // Four words; the text is made only when somebody asks for it.
  readonly #first: number
  readonly #second: number
  readonly #high: number
  readonly #low: number
  #traceId: string | null
  #pending: SpanRecord[] | null = null
  /** Whether spans wait no longer. */
  #isReleased = false

  /** `high` and `low` are the last words of its id if it begins here. */
  constructor(
    sink: SpanSink,
    remote: TraceContext | null,
    high: number = randomWord(),
    low: number = randomWord(),
  ) {
    super()
    this.sink = sink
    this.remote = remote
    const given = remote?.traceId ?? null
    this.#traceId = given
    this.#first = given === null ? randomWord() : wordAt(given, 0)
    this.#second = given === null ? randomWord() : wordAt(given, 8)
    this.#high = given === null ? high : wordAt(given, 16)
    this.#low = given === null ? low || 1 : wordAt(given, 24)
  }

  get traceId(): string {
    this.#traceId ??=
      wordHex(this.#first) + wordHex(this.#second) + wordHex(this.#high) + wordHex(this.#low)
    return this.#traceId
  }

  /** Writes the four words of its id. */
  writeId(to: Int32Array, at: number): void {
    to[at] = this.#first
    to[at + 1] = this.#second
    to[at + 2] = this.#high
    to[at + 3] = this.#low
  }

  /** The last 56 bits of its id. */
  get randomness(): number {
    return randomnessOf(this.#high, this.#low)
  }

  /** Notes that a span began directly below the root. */
  claim(ms: number): void {
    if (this.phase === null) this.hasEarly = true
    else this.phase.claim(ms)
  }

  /**
   * Takes a finished span. It waits for the end of the root: only then it is known whether that is worth it, and
   * in which phase of a request the span began.
   */
  add(record: SpanRecord): void {
    if (this.#isReleased && this.decision === Decisions.Record) this.sink.keep(record)
    else if (this.decision !== Decisions.Drop) this.#wait(record)
  }

  /** Decides at the end of the root what becomes of the spans. */
  conclude(isWorthIt: boolean): void {
    if (this.decision === Decisions.Late) {
      this.decision = isWorthIt ? Decisions.Record : Decisions.Drop
    }
    if (this.decision === Decisions.Record) this.release()
    this.#pending = null
  }

  override release(): void {
    if (this.#isReleased) return
    this.#isReleased = true
    if (this.#pending === null) return
    this.sink.letGo(this)
    for (const record of this.#pending) this.sink.keep(record)
    this.#pending = null
  }

  #wait(record: SpanRecord): void {
    if (this.#pending === null) {
      this.#pending = [record]
      if (this.decision === Decisions.Record) this.sink.hold(this)
    } else if (this.#pending.length < maxPending) this.#pending.push(record)
    else if (this.decision === Decisions.Late) this.sink.lose()
    else {
      this.release()
      this.sink.keep(record)
    }
  }
}
