import { createLabels, labelJson } from '../labels.ts'
import type { Labels } from '../labels.ts'
import { defaultCap } from './instrument-options.ts'
import type { InstrumentOptions } from './instrument-options.ts'

/** The labels of the series that counts everything beyond the cap. */
const overflowLabels: Labels = { overflow: 'true' }

/** The part of an instrument that its family uses. */
interface Root {
  readonly name: string
  readonly labels: Labels
}

/**
 * The instruments that `with` created for one root: one for each set of labels up to a cap, and a
 * single one for all others, so that label values from outside cannot exhaust memory.
 */
export class Family<Member extends Root> {
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
