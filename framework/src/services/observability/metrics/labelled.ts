import { createLabels } from '../labels.ts'
import type { Labels } from '../labels.ts'
import { Family } from './family.ts'
import { lock } from './lock.ts'
import { completeHead } from './options.ts'
import type { InstrumentOptions } from './options.ts'

/** What counters, gauges and histograms share: a name, a help text, labels, and a family of others. */
export abstract class Labelled<Self extends Labelled<Self>> {
  readonly name: string
  readonly help: string
  readonly labels: Labels
  readonly #options: InstrumentOptions
  #family: Family<Self> | null

  constructor(name: string, options: InstrumentOptions, family: Family<Self> | null) {
    const { help, labels } = completeHead(name, options)
    this.name = name
    this.help = help
    this.labels = labels
    lock(this, 'name', 'help', 'labels')
    // A copy: a cap that changes later would not have been checked.
    this.#options = { ...options }
    this.#family = family
  }

  /** The instrument whose `with` gave this one; itself when none did. */
  get root(): Self {
    return this.#family?.root ?? this.self()
  }

  /**
   * The instrument of the same name that has these labels as well: one object for equal labels.
   * Once an instrument has such members, its own series shows only if it was used itself.
   * @throws InvalidArgumentException (E_METRIC_LABEL)
   */
  with(labels: Labels): Self {
    const self = this.self()
    this.#family ??= new Family(self, this.#options, (all, family) => this.member(all, family))
    return this.#family.with(this.root === self ? labels : createLabels(labels, this.labels))
  }

  /** The instrument and the members of its family, as far as they have something to show. */
  members(): readonly Self[] {
    const self = this.self()
    if (this.#family === null || this.root !== self) return [self]
    const { members } = this.#family
    return members.length === 0 || this.isUsed() ? [self, ...members] : members
  }

  /** This instrument, known to be of its own kind. */
  protected abstract self(): Self

  /** Another instrument of this name and kind. */
  protected abstract member(labels: Labels, family: Family<Self>): Self

  /** Whether a value was ever given to this very instrument. */
  protected abstract isUsed(): boolean
}
