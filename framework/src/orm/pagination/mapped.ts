import type { Pagination } from './pagination.ts'

/**
 * The rows of one page, with the same pagination object that was passed in, now with its outcome.
 */
export class Mapped<out Row> implements Iterable<Row> {
  readonly items: readonly Row[]
  readonly pagination: Pagination

  constructor(items: readonly Row[], pagination: Pagination) {
    this.items = items
    this.pagination = pagination
  }

  [Symbol.iterator](): Iterator<Row> {
    return this.items[Symbol.iterator]()
  }
}
