import type { Labels } from '../labels.ts'
import { checkMerge } from '../metric.ts'
import type { Merges, ValueSeries } from '../metric.ts'
import type { Family, Observe, ValueOptions } from './labelled.ts'
import { Labelled, makeReadOnly, observedValue, refuseValue } from './labelled.ts'

/** A value that goes up and down: `new Gauge('queue_depth', { help, labels })`. */
export class Gauge extends Labelled<Gauge> {
  readonly type = 'gauge'
  readonly merge: Merges
  readonly #observe: Observe | null
  #value = 0
  #used = false

  /**
   * `family` is for `with` only.
   * @throws InvalidArgumentException for an invalid name, label or option.
   */
  constructor(name: string, options: ValueOptions = {}, family: Family<Gauge> | null = null) {
    super(name, options, family)
    this.merge = checkMerge(options.merge ?? 'sum')
    makeReadOnly(this, 'type', 'merge')
    this.#observe = options.observe ?? null
  }

  /** @throws InvalidArgumentException (E_METRIC_VALUE) unless it is a number; NaN and Infinity are. */
  set(value: number): void {
    if (typeof value !== 'number') refuseValue(this.name, 'set takes a number', value)
    this.#value = value
    this.#used = true
  }

  /** @throws InvalidArgumentException (E_METRIC_VALUE) unless `by` is finite. */
  increment(by: number = 1): void {
    if (!Number.isFinite(by)) refuseValue(this.name, 'increment takes a finite number', by)
    this.#value += by
    this.#used = true
  }

  /** @throws InvalidArgumentException (E_METRIC_VALUE) unless `by` is finite. */
  decrement(by: number = 1): void {
    if (!Number.isFinite(by)) refuseValue(this.name, 'decrement takes a finite number', by)
    this.#value -= by
    this.#used = true
  }

  /** @throws what `observe` throws. */
  read(): ValueSeries {
    const { name, labels } = this
    const value = this.#observe === null ? this.#value : observedValue(name, this.#observe)
    return { labels, value }
  }

  protected override self(): Gauge {
    return this
  }

  protected override member(labels: Labels, family: Family<Gauge>): Gauge {
    return new Gauge(this.name, { help: this.help, merge: this.merge, labels }, family)
  }

  protected override isUsed(): boolean {
    return this.#used || this.#observe !== null
  }
}
