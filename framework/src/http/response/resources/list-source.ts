import type { Surface } from '../../../database/surface.ts'
import type { AnyEntity } from '../../../orm/entity/entity.ts'

/** Rows of an entity on a database or a transaction: a repository is one. */
export interface ListSource<out E extends AnyEntity> {
  readonly entity: E
  readonly surface: Surface
}
