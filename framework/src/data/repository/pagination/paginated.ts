import { InvalidArgumentException } from '../../../base/errors.ts'
import type { Operation, Result } from '../../database/operation.ts'
import type { Query } from '../../sql/plan/query.ts'
import type { PageRequest } from './page-request.ts'
import type { Pagination } from './pagination.ts'

/**
 * A page on its way: an operation, that of the items, with the one of the COUNT beside it. `Row` is
 * what hydration makes of a row.
 */
export class Paginated<out Row> implements Operation {
  // Types only; no value ever has it.
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

  /** The COUNT, `'deferred'` while it waits for hydration, or null when nothing is counted. */
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

  /** The COUNT, sent now if it was deferred; only ever sent once. */
  dispatchCount(): Operation | null {
    const { count, surface } = this.request
    if (count !== null) this.#count ??= surface.dispatch(count.query)
    return this.#count
  }
}

/**
 * What an operation of `paginate()` was made from.
 * @throws InvalidArgumentException for any other operation.
 */
export function requestOf(operation: Paginated<unknown>): PageRequest {
  if (operation instanceof Paginated) return operation.request
  throw new InvalidArgumentException(
    'E_INVALID_ARGUMENT',
    'hydrate takes the operation that paginate() gave; the rows of another are in its result',
  )
}
