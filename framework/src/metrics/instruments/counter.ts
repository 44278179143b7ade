import type { Labels } from '../labels.ts'
import { checkMerge } from '../metric.ts'
import type { Merges, ValueSeries } from '../metric.ts'
import type { Family, Observe, ValueOptions } from './labelled.ts'
import { Labelled, makeReadOnly, observedValue, refuseValue } from './labelled.ts'

/** A count that never goes down: `new Counter('http_requests_total', { help, labels })`. */
export class Counter extends Labelled<Counter> {
  readonly type = 'counter'
  readonly merge: Merges
  readonly #observe: Observe | null
  #value = 0

  /**
   * `family` is for `with` only.
   * @throws InvalidArgumentException for an invalid name, label or option.
   */
  constructor(name: string, options: ValueOptions = {}, family: Family<Counter> | null = null) {
    super(name, options, family)
    this.merge = checkMerge(options.merge ?? 'sum')
    makeReadOnly(this, 'type', 'merge')
    this.#observe = options.observe ?? null
  }

  /** @throws InvalidArgumentException (E_METRIC_VALUE) unless `by` is finite and not negative. */
  increment(by: number = 1): void {
    if (typeof by === 'number' && by >= 0 && by < Infinity) this.#value += by
    else refuseValue(this.name, 'increment takes a finite number, at least 0', by)
  }

  /** @throws what `observe` throws, and InvalidArgumentException for a negative value. */
  read(): ValueSeries {
    const { name, labels } = this
    if (this.#observe === null) return { labels, value: this.#value }
    const value = observedValue(name, this.#observe)
    if (value < 0) refuseValue(name, 'a counter cannot be negative', value)
    return { labels, value }
  }

  protected override self(): Counter {
    return this
  }

  protected override member(labels: Labels, family: Family<Counter>): Counter {
    return new Counter(this.name, { help: this.help, merge: this.merge, labels }, family)
  }

  protected override isUsed(): boolean {
    return this.#value > 0 || this.#observe !== null
  }
}
