import { InvalidArgumentException } from '../../base/errors.ts'
import type { SpanIds } from '../../activity/activity.ts'
import { checkBounds, unbounded } from '../buckets.ts'
import type { Labels } from '../labels.ts'
import type { BucketCounts, Exemplar, Exemplars, HistogramSeries } from '../metric.ts'
import type { Family, InstrumentOptions } from './labelled.ts'
import { Labelled, makeReadOnly, refuseValue } from './labelled.ts'

/** Options of `Histogram`. */
export interface HistogramOptions extends InstrumentOptions {
  /** Ascending upper bounds; `+Inf` is added automatically. @default Histogram.BUCKETS */
  readonly buckets?: readonly number[]
}

/** What may become an exemplar. */
interface Observed {
  readonly value: number
  /** Since the epoch. */
  readonly atMs: number
  readonly span: SpanIds
}

/** Counts observations in buckets: `new Histogram('http_request_duration_seconds', { help })`. */
export class Histogram extends Labelled<Histogram> {
  /** Bounds in seconds that suit the response times of a server: 5 ms to 10 s. */
  static readonly BUCKETS: readonly number[] = Object.freeze([
    0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1, 2.5, 5, 10,
  ])

  static {
    makeReadOnly(Histogram, 'BUCKETS')
  }

  readonly type = 'histogram'
  readonly #bounds: Float64Array
  /** Observations per bucket, not cumulative; the unbounded one is last. */
  readonly #counts: Float64Array
  readonly #keys: readonly string[]
  readonly #empty: BucketCounts
  #sum = 0
  /** By the position of their bucket. */
  #exemplars: (Observed | undefined)[] | null = null

  /**
   * `family` is for `with` only.
   * @throws InvalidArgumentException for an invalid name, label, bucket or option.
   */
  constructor(
    name: string,
    options: HistogramOptions = {},
    family: Family<Histogram> | null = null,
  ) {
    super(name, options, family)
    makeReadOnly(this, 'type')
    if ('le' in this.labels) {
      const reason = `${name}: the label "le" is reserved for buckets in a histogram; rename it`
      throw new InvalidArgumentException('E_METRIC_LABEL', reason)
    }
    this.#bounds = checkBounds(options.buckets ?? Histogram.BUCKETS)
    this.#counts = new Float64Array(this.#bounds.length + 1)
    this.#keys = [...Array.from(this.#bounds, String), unbounded]
    this.#empty = Object.fromEntries(this.#keys.map((bound) => [bound, 0]))
  }

  /**
   * Counts a value. The ids of a span that is exported make it an exemplar: OpenMetrics shows the newest
   * one of each bucket.
   * @throws InvalidArgumentException (E_METRIC_VALUE) unless the value is finite.
   */
  observe(value: number, exemplar?: SpanIds): void {
    if (!Number.isFinite(value)) refuseValue(this.name, 'observe takes a finite number', value)
    const bounds = this.#bounds
    let at = 0
    // A linear search is faster than a binary one for a dozen bounds.
    while (at < bounds.length && value > (bounds[at] ?? 0)) at++
    this.#counts[at] = (this.#counts[at] ?? 0) + 1
    this.#sum += value
    if (exemplar !== undefined) this.#keep(at, value, exemplar)
  }

  /** The counts so far, cumulative. */
  read(): HistogramSeries {
    // Copying an object that has all keys is faster than adding them one by one.
    const buckets: Record<string, number> = { ...this.#empty }
    let count = 0
    for (let at = 0; at < this.#keys.length; at++) {
      count += this.#counts[at] ?? 0
      buckets[this.#keys[at] ?? unbounded] = count
    }
    const series = { labels: this.labels, buckets, sum: this.#sum, count }
    return this.#exemplars === null ? series : { ...series, exemplars: this.#readExemplars() }
  }

  // Most are replaced before anybody looks: their ids are not asked for.
  #keep(at: number, value: number, span: SpanIds): void {
    this.#exemplars ??= Array.from(this.#keys, () => undefined)
    this.#exemplars[at] = { value, atMs: Date.now(), span }
  }

  #readExemplars(): Exemplars {
    const exemplars: Record<string, Exemplar> = {}
    for (const [at, observed] of this.#exemplars?.entries() ?? []) {
      if (observed === undefined) continue
      const { value, atMs, span } = observed
      const { traceId, spanId } = span
      exemplars[this.#keys[at] ?? unbounded] = { value, timestamp: atMs / 1_000, traceId, spanId }
    }
    return exemplars
  }

  protected override self(): Histogram {
    return this
  }

  protected override member(labels: Labels, family: Family<Histogram>): Histogram {
    return new Histogram(
      this.name,
      { help: this.help, buckets: Array.from(this.#bounds), labels },
      family,
    )
  }

  protected override isUsed(): boolean {
    return this.#counts.some((count) => count > 0)
  }
}
