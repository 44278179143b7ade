import { InvalidArgumentException } from '../../base/errors.ts'
import type { AnyEntity } from '../entity/entity.ts'
import { awaitPagination } from './hydrate-pagination.ts'
import type { Mapped } from './mapped.ts'
import { requestOf } from './paginated.ts'
import type { Paginated } from './paginated.ts'

/** The part of a repository that `Awaiting` needs. */
export interface HydratingRepository {
  readonly entity: AnyEntity
}

/** The bridge to asynchronous databases. */
export const Awaiting: AwaitingBridge = Object.freeze({
  async hydrate<Row>(repository: HydratingRepository, operation: Paginated<Row>) {
    const { entity } = requestOf(operation)
    if (repository.entity === entity) return awaitPagination(operation)
    throw new InvalidArgumentException(
      'E_INVALID_ARGUMENT',
      `the operation belongs to ${entity.table}, the repository to ${repository.entity.table}`,
    )
  },
})

/** Waits for pages, which `repository.hydrate` never does. */
export interface AwaitingBridge {
  /**
   * Resolves with the page once its items, its COUNT and its relations have arrived. A deferred
   * COUNT is sent after the items.
   */
  hydrate<Row>(repository: HydratingRepository, operation: Paginated<Row>): Promise<Mapped<Row>>
}
