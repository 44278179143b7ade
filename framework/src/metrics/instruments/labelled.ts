import { createLabels, labelJson } from '../labels.ts'
import type { Labels } from '../labels.ts'
import { invalidArgument, InvalidArgumentException } from '../../base/errors.ts'
import { checkMetricName, quote } from '../metric-name.ts'
import type { Merges } from '../metric.ts'

/** The default `cap`. */
export const defaultCap = 1_000

/** Options of every instrument. */
export interface InstrumentOptions {
  /** A sentence that describes the metric. @default '' */
  readonly help?: string
  readonly labels?: Labels
  /** How many series `with` creates; all others share one labelled `overflow="true"`. @default 1_000 */
  readonly cap?: number
  /** Called once, when the cap is exceeded. @default emits a process warning */
  readonly onOverflow?: (name: string, cap: number) => void
}

/** Options of counters and gauges. */
export interface ValueOptions extends InstrumentOptions {
  /** Returns the value whenever the instrument is read, in place of a recorded one. */
  readonly observe?: Observe
  /** How the values of several processes are combined. @default 'sum' */
  readonly merge?: Merges
}

/** Returns the current value of an instrument. */
export type Observe = () => number

/** Base of counters, gauges and histograms: a name, a help text, labels, and a family of members. */
export abstract class Labelled<Self extends Labelled<Self>> {
  readonly name: string
  readonly help: string
  readonly labels: Labels
  readonly #options: InstrumentOptions
  #family: Family<Self> | null

  /** @throws InvalidArgumentException for an invalid name, help, label or cap. */
  constructor(name: string, options: InstrumentOptions, family: Family<Self> | null) {
    const { help = '', labels = {}, cap = defaultCap } = options
    this.name = checkMetricName(name)
    if (typeof help !== 'string')
      throw invalidArgument(`help of ${name} must be a string; got ${quote(help)}`)
    if (!Number.isSafeInteger(cap) || cap < 1) {
      throw invalidArgument(
        `cap of ${name} must be a whole number of at least 1; got ${String(cap)}`,
      )
    }
    this.help = help
    this.labels = createLabels(labels)
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

/** Enforces `readonly` properties at run time: assigning to them throws. */
export function makeReadOnly<Target extends object>(
  target: Target,
  ...keys: (keyof Target)[]
): void {
  for (const key of keys) {
    Object.defineProperty(target, key, { writable: false, configurable: false })
  }
}

/**
 * The current value of an observable instrument.
 * @throws what `observe` throws, and InvalidArgumentException (E_METRIC_VALUE) when it returns no number.
 */
export function observedValue(name: string, observe: Observe): number {
  const value = observe()
  if (typeof value === 'number') return value
  return refuseValue(name, 'observe must return a number', value)
}

/** Always throws. @throws InvalidArgumentException (E_METRIC_VALUE) */
export function refuseValue(name: string, rule: string, value: unknown): never {
  const got = typeof value === 'number' ? String(value) : quote(value)
  throw new InvalidArgumentException('E_METRIC_VALUE', `${name}: ${rule}; got ${got}`)
}

/** The labels of the series that counts everything beyond the cap. */
const overflowLabels: Labels = { overflow: 'true' }

/**
 * The instruments that `with` created for one root: one for each set of labels up to a cap, and a
 * single one for all others, so that label values from outside cannot exhaust memory.
 */
export class Family<Member extends Labelled<Member>> {
  readonly root: Member
  readonly #make: (labels: Labels, family: Family<Member>) => Member
  readonly #cap: number
  readonly #onOverflow: (name: string, cap: number) => void
  readonly #byLabels = new Map<string, Member>()
  readonly #members: Member[] = []
  readonly #paths = new PathNode<Member>()
  #overflow: Member | null = null

  constructor(
    root: Member,
    { cap = defaultCap, onOverflow = warnOfOverflow }: InstrumentOptions,
    make: (labels: Labels, family: Family<Member>) => Member,
  ) {
    this.root = root
    this.#make = make
    this.#cap = cap
    this.#onOverflow = onOverflow
    this.#byLabels.set(labelJson(root.labels), root)
  }

  /** The members in order of creation, without the root. */
  get members(): readonly Member[] {
    return this.#members
  }

  /**
   * The member that has these labels in addition to those of the root.
   * @throws InvalidArgumentException (E_METRIC_LABEL)
   */
  with(labels: Labels): Member {
    let node = this.#paths
    for (const name in labels) {
      const next = node.name === name ? node.next.get(labels[name]) : undefined
      if (next === undefined) return this.#find(labels)
      node = next
    }
    return node.member ?? this.#find(labels)
  }

  #find(labels: Labels): Member {
    const all = createLabels(labels, this.root.labels)
    const known = this.#byLabels.get(labelJson(all))
    if (known === undefined && this.#members.length >= this.#cap) return this.#overflowing()
    const member = known ?? this.#add(all)
    this.#addPath(labels, member)
    return member
  }

  #add(labels: Labels): Member {
    const member = this.#make(labels, this)
    this.#byLabels.set(labelJson(labels), member)
    this.#members.push(member)
    return member
  }

  #overflowing(): Member {
    if (this.#overflow === null) {
      const labels = createLabels(overflowLabels, this.root.labels)
      this.#overflow = this.#byLabels.get(labelJson(labels)) ?? this.#add(labels)
      try {
        this.#onOverflow(this.root.name, this.#cap)
      } catch {
        // A failing warning must not break the code that counts.
      }
    }
    return this.#overflow
  }

  /** Stores the path to a member, for labels in the same order as the first ones. */
  #addPath(labels: Labels, member: Member): void {
    let node = this.#paths
    for (const [name, value] of Object.entries(labels)) {
      node.name ??= name
      if (node.name !== name) return
      let next = node.next.get(value)
      if (next === undefined) {
        next = new PathNode()
        node.next.set(value, next)
      }
      node = next
    }
    node.member = member
  }
}

function warnOfOverflow(name: string, cap: number): void {
  process.emitWarning(
    `the metric ${name} has reached its cap of ${cap} series: all other sets of labels count in the ` +
      'series labelled overflow="true"; remove labels with unbounded values, or raise cap',
    'MetricOverflow',
  )
}

/** A node of the lookup tree over label values, in the order the labels are given. */
class PathNode<Member> {
  /** Name of the label whose values are the keys of `next`. */
  name: string | null = null
  readonly next = new Map<unknown, PathNode<Member>>()
  member: Member | null = null
}
