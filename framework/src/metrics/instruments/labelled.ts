import { createLabels } from '../labels.ts'
import type { Labels } from '../labels.ts'
import { Family } from './family.ts'
import { makeReadOnly } from './make-read-only.ts'
import { checkInstrumentOptions } from './instrument-options.ts'
import type { InstrumentOptions } from './instrument-options.ts'

/** Base of counters, gauges and histograms: a name, a help text, labels, and a family of members. */
export abstract class Labelled<Self extends Labelled<Self>> {
  readonly name: string
  readonly help: string
  readonly labels: Labels
  readonly #options: InstrumentOptions
  #family: Family<Self> | null

  constructor(name: string, options: InstrumentOptions, family: Family<Self> | null) {
    const { help, labels } = checkInstrumentOptions(name, options)
    this.name = name
    this.help = help
    this.labels = labels
    makeReadOnly(this, 'name', 'help', 'labels')
    // A copy, so that options cannot change after validation.
    this.#options = { ...options }
    this.#family = family
  }

  /** The instrument whose `with` created this one, or itself. */
  get root(): Self {
    return this.#family?.root ?? this.self()
  }

  /**
   * The instrument with the same name and these additional labels; equal labels return the same
   * object. Once an instrument has members, its own series is shown only if it was used itself.
   * @throws InvalidArgumentException (E_METRIC_LABEL)
   */
  with(labels: Labels): Self {
    const self = this.self()
    this.#family ??= new Family(self, this.#options, (all, family) => this.member(all, family))
    return this.#family.with(this.root === self ? labels : createLabels(labels, this.labels))
  }

  /** The instrument, if it was used or has no members, and the members of its family. */
  members(): readonly Self[] {
    const self = this.self()
    if (this.#family === null || this.root !== self) return [self]
    const { members } = this.#family
    return members.length === 0 || this.isUsed() ? [self, ...members] : members
  }

  /** This instrument, typed as its own class. */
  protected abstract self(): Self

  /** Creates an instrument of the same name and class. */
  protected abstract member(labels: Labels, family: Family<Self>): Self

  /** Whether this instrument itself ever recorded a value. */
  protected abstract isUsed(): boolean
}
