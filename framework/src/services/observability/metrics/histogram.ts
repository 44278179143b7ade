import { InvalidArgumentException } from '../../../base/errors.ts'
import { checkBounds, unbounded } from '../buckets.ts'
import type { Labels } from '../labels.ts'
import type { BucketCounts, HistogramSeries } from '../metric.ts'
import type { Family } from './family.ts'
import { Labelled } from './labelled.ts'
import { lock } from './lock.ts'
import { refuseValue } from './metric-value.ts'
import type { InstrumentOptions } from './options.ts'

/** What a histogram may be told. */
export interface HistogramOptions extends InstrumentOptions {
  /** Upper bounds, ascending; `Histogram.BUCKETS` unless given. The one without bound comes by itself. */
  readonly buckets?: readonly number[]
}

/** Counts observations into buckets. `new Histogram('http_request_duration_seconds', { help })`. */
export class Histogram extends Labelled<Histogram> {
  /** Bounds in seconds that fit the answers of a server: 5 ms to 10 s. */
  static readonly BUCKETS: readonly number[] = Object.freeze([
    0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1, 2.5, 5, 10,
  ])

  static {
    lock(Histogram, 'BUCKETS')
  }

  readonly type = 'histogram'
  readonly #bounds: Float64Array
  /** Observations of each bucket alone, the one without bound last. */
  readonly #counts: Float64Array
  readonly #keys: readonly string[]
  readonly #empty: BucketCounts
  #sum = 0

  /**
   * `family` is what `with` hands on; leave it out.
   * @throws InvalidArgumentException for a name, label, bucket or option that cannot be used.
   */
  constructor(
    name: string,
    options: HistogramOptions = {},
    family: Family<Histogram> | null = null,
  ) {
    super(name, options, family)
    lock(this, 'type')
    if ('le' in this.labels) {
      const reason = `${name}: the label "le" of a histogram names its buckets; choose another name`
      throw new InvalidArgumentException('E_METRIC_LABEL', reason)
    }
    this.#bounds = checkBounds(options.buckets ?? Histogram.BUCKETS)
    this.#counts = new Float64Array(this.#bounds.length + 1)
    this.#keys = [...Array.from(this.#bounds, String), unbounded]
    this.#empty = Object.fromEntries(this.#keys.map((bound) => [bound, 0]))
  }

  /** @throws InvalidArgumentException (E_METRIC_VALUE) unless the value is finite. */
  observe(value: number): void {
    if (!Number.isFinite(value)) refuseValue(this.name, 'observe takes a finite number', value)
    const bounds = this.#bounds
    let at = 0
    // A straight walk beats halving for the dozen bounds of a usual histogram.
    while (at < bounds.length && value > (bounds[at] ?? 0)) at++
    this.#counts[at] = (this.#counts[at] ?? 0) + 1
    this.#sum += value
  }

  /** The counts so far, cumulative as the exposition wants them. */
  read(): HistogramSeries {
    // A copy of an object that has all keys is made faster than one key after the other.
    const buckets: Record<string, number> = { ...this.#empty }
    let count = 0
    for (let at = 0; at < this.#keys.length; at++) {
      count += this.#counts[at] ?? 0
      buckets[this.#keys[at] ?? unbounded] = count
    }
    return { labels: this.labels, buckets, sum: this.#sum, count }
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
