import { InvalidArgumentException } from '../../../base/errors.ts'
import type { AnyEntity } from '../entity/entity.ts'
import { awaitPagination } from './hydrate-pagination.ts'
import type { Mapped } from './mapped.ts'
import { requestOf } from './paginated.ts'
import type { Paginated } from './paginated.ts'

/** As much of a repository as the bridge asks for. */
export interface HydratingRepository {
  readonly entity: AnyEntity
}

/** The bridge to databases that answer later. */
export const Awaiting: AwaitingBridge = Object.freeze({
  async hydrate<Row>(repository: HydratingRepository, operation: Paginated<Row>) {
    const { entity } = requestOf(operation)
    if (repository.entity === entity) return awaitPagination(operation)
    throw new InvalidArgumentException(
      'E_INVALID_ARGUMENT',
      `the operation is one of ${entity.table}, the repository one of ${repository.entity.table}`,
    )
  },
})

/** What waits where `repository.hydrate` must not. */
export interface AwaitingBridge {
  /**
   * Resolves with the page once its items, its COUNT and its relations have come. A COUNT that was
   * deferred is sent after the items.
   */
  hydrate<Row>(repository: HydratingRepository, operation: Paginated<Row>): Promise<Mapped<Row>>
}
