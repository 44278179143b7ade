/**
 * Turns a list of random bytes into choices. Once the bytes are used up, every choice is the first
 * one, so that shorter and smaller lists, which fast-check tries after a failure, are simpler cases.
 */
export class Choices {
  readonly #bytes: readonly number[]
  #position = 0

  constructor(bytes: readonly number[]) {
    this.#bytes = bytes
  }

  /** A whole number from 0 to `max`, which is at most 255. */
  number(max: number): number {
    const byte = this.#bytes[this.#position] ?? 0
    this.#position += 1
    return byte % (max + 1)
  }

  /** True in `percent` of all cases. */
  chance(percent: number): boolean {
    return this.number(99) >= 100 - percent
  }

  /** One item of a list. */
  pick<Item>(items: readonly [Item, ...Item[]] | readonly Item[]): Item {
    const item = items[this.number(items.length - 1)]
    if (item === undefined) throw new TypeError('there is nothing to choose from')
    return item
  }

  /** A list of `min` to `max` items. */
  list<Item>(min: number, max: number, make: (index: number) => Item): Item[] {
    return Array.from({ length: min + this.number(max - min) }, (_, index) => make(index))
  }

  /** Some of the items, each at most once, in any sequence. */
  some<Item>(items: readonly Item[], max: number): Item[] {
    const left = [...items]
    const count = this.number(Math.min(max, left.length))
    return Array.from({ length: count }, () => {
      const [item] = left.splice(this.number(left.length - 1), 1)
      if (item === undefined) throw new TypeError('unreachable: there are enough items')
      return item
    })
  }
}
