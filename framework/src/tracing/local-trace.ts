import { Decisions } from './sampler.ts'
import { randomWord, wordAt, wordHex } from './span-ids.ts'
import type { SpanRecord, SpanSink } from './otlp-span.ts'
import type { TraceContext } from './trace-context.ts'
import type { TracedPhases } from './traced-phases.ts'

/** At most this many spans of a trace wait for its end. */
const maxPending = 256

/** The last 56 bits of an id that ends with these words. */
export function randomnessOf(high: number, low: number): number {
  return (high & 0xff_ffff) * 2 ** 32 + (low >>> 0)
}

/** The part of a trace that belongs to one request, job or command of this process. */
export class LocalTrace {
  readonly sink: SpanSink
  /** Where it continues; null if the trace begins here. */
  readonly remote: TraceContext | null
  decision: Decisions = Decisions.Drop
  /** Of a request; null before its middlewares. */
  phases: TracedPhases | null = null
  /** When its last step ended; 0 before the first. Asking the clock is most of what a span costs. */
  lastMs = 0
  // Four words; the text is made only when somebody asks for it.
  readonly #first: number
  readonly #second: number
  readonly #high: number
  readonly #low: number
  #traceId: string | null
  /** What is known only at the end of the root whether it is worth it. */
  #pending: SpanRecord[] | null = null

  /** `high` and `low` are the last words of its id if it begins here. */
  constructor(
    sink: SpanSink,
    remote: TraceContext | null,
    high: number = randomWord(),
    low: number = randomWord(),
  ) {
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

  /** The last 56 bits of its id. */
  get randomness(): number {
    return randomnessOf(this.#high, this.#low)
  }

  /** Takes a finished span. */
  add(record: SpanRecord): void {
    if (this.decision === Decisions.Record) record.write()
    else if (this.decision === Decisions.Late) this.#wait(record)
  }

  /** Decides at the end of the root what becomes of spans that waited for it. */
  conclude(isWorthIt: boolean): void {
    if (this.decision !== Decisions.Late) return
    this.decision = isWorthIt ? Decisions.Record : Decisions.Drop
    if (isWorthIt && this.#pending !== null) for (const record of this.#pending) record.write()
    this.#pending = null
  }

  #wait(record: SpanRecord): void {
    if (this.#pending === null) this.#pending = [record]
    else if (this.#pending.length < maxPending) this.#pending.push(record)
    else this.sink.countDropped()
  }
}
