import { InvalidArgumentException } from '../../base/errors.ts'
import type { Operation, Result } from '../../database/operation.ts'
import type { Query } from '../../database/sql/plan/query.ts'
import type { PageRequest } from './page-request.ts'
import type { Pagination } from './pagination.ts'

/**
 * A pending page: the operation of the items, and that of the COUNT beside it. `Row` is the type of
 * a hydrated row.
 */
export class Paginated<out Row> implements Operation {
  // Type only; the property never exists at run time.
  declare readonly row: Row
  readonly request: PageRequest
  readonly #items: Operation
  #count: Operation | null

  constructor(request: PageRequest, items: Operation, count: Operation | null) {
    this.request = request
    this.#items = items
    this.#count = count
  }

  get pagination(): Pagination {
    return this.request.pagination
  }

  /** The COUNT, `'deferred'` while it waits for hydration, or null if nothing is counted. */
  get count(): Operation | 'deferred' | null {
    return this.#count ?? (this.request.count === null ? null : 'deferred')
  }

  get query(): Query {
    return this.#items.query
  }

  get state(): Operation['state'] {
    return this.#items.state
  }

  get result(): Result {
    return this.#items.result
  }

  settled(): Promise<Result> {
    return this.#items.settled()
  }

  /** The COUNT, sent now if it was deferred, but only once. */
  dispatchCount(): Operation | null {
    const { count, surface } = this.request
    if (count !== null) this.#count ??= surface.dispatch(count.query)
    return this.#count
  }
}

/**
 * The request of an operation from `paginate()`.
 * @throws InvalidArgumentException for any other operation.
 */
export function requestOf(operation: Paginated<unknown>): PageRequest {
  if (operation instanceof Paginated) return operation.request
  throw new InvalidArgumentException(
    'E_INVALID_ARGUMENT',
    'hydrate takes an operation returned by paginate(); other operations have their rows in result',
  )
}

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
