import { createLabels, labelJson } from '../labels.ts'
import type { Labels } from '../labels.ts'
import { defaultCap } from './options.ts'
import type { InstrumentOptions } from './options.ts'

/** The labels of the series that takes what does not fit under the cap any more. */
const overflowing: Labels = { overflow: 'true' }

/** An instrument as far as its family needs to know it. */
interface Root {
  readonly name: string
  readonly labels: Labels
}

/**
 * The instruments that `with` gave for one root: one for each set of labels, up to a cap, and
 * then a single one for everything else, so that values of strangers cannot fill the memory.
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

  /** The members in the order they were made, without the root. */
  get members(): readonly Member[] {
    return this.#members
  }

  /**
   * The member that has these labels beside those of the root.
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
    this.#plant(labels, member)
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
      const labels = createLabels(overflowing, this.root.labels)
      this.#overflow = this.#byLabels.get(labelJson(labels)) ?? this.#add(labels)
      try {
        this.#onOverflow(this.root.name, this.#cap)
      } catch {
        // Whoever counts something must not fail because the warning about it did.
      }
    }
    return this.#overflow
  }

  /** Remembers the way to a member, for labels that come in the order of the first ones. */
  #plant(labels: Labels, member: Member): void {
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
    `the metric ${name} has ${cap} series, its cap: every other set of labels counts in the one ` +
      'labelled overflow="true"; leave out labels that take any value, or raise cap',
    'MetricOverflow',
  )
}

/** A place on the way through the values of labels, in the order they are given. */
class PathNode<Member> {
  /** Name of the label whose values lead on. */
  name: string | null = null
  readonly next = new Map<unknown, PathNode<Member>>()
  member: Member | null = null
}
