import type { AnyEntity } from '../entity/entity.ts'
import type { KeyOf, ShapeOf } from '../entity/row.ts'
import type { Relation } from './relation.ts'

/** The many-to-many relations of an entity. */
export type ManyToManyOf<E extends AnyEntity> = {
  [Name in keyof ShapeOf<E>]: ShapeOf<E>[Name] extends Relation<unknown, 'many-to-many'>
    ? Name
    : never
}[keyof ShapeOf<E>] &
  string

/** The type of the keys that a relation of an entity refers to. */
export type LinkedKeyOf<E extends AnyEntity, Name extends string> = Name extends keyof ShapeOf<E>
  ? ShapeOf<E>[Name] extends Relation<infer Target>
    ? KeyOf<Target>
    : never
  : never
