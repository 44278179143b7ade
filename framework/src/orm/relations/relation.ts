/** The kinds of relations between entities. */
export type RelationKind = 'belongs-to' | 'has-one' | 'has-many' | 'many-to-many'

/** The join table of a many-to-many relation. */
export interface Bridge {
  /** Name of the table. */
  readonly through: string
  /** Its column with the key of the entity that declares the relation. */
  readonly source: string
  /** Its column with the key of the target. */
  readonly target: string
}

/**
 * One side of a relation. `Target` is the related entity, `Property` the property with the foreign
 * key: on this side for `belongs-to`, on the target for `has-one` and `has-many`.
 */
export class Relation<
  out Target,
  out Kind extends RelationKind = RelationKind,
  out Property extends string | null = string | null,
  out Nullable extends boolean = boolean,
> {
  readonly kind: Kind
  /** A function, because the target may be defined later. */
  readonly target: () => Target
  readonly property: Property
  readonly isNullable: Nullable
  readonly bridge: Bridge | null

  constructor(
    kind: Kind,
    target: () => Target,
    property: Property,
    isNullable: Nullable,
    bridge: Bridge | null = null,
  ) {
    this.kind = kind
    this.target = target
    this.property = property
    this.isNullable = isNullable
    this.bridge = bridge
  }

  /** The same relation with a nullable foreign key. */
  nullable(): Relation<Target, Kind, Property, true> {
    return new Relation(this.kind, this.target, this.property, true, this.bridge)
  }
}

/**
 * This entity holds the key of another. By default the property is named after the relation:
 * `author` becomes `authorId`, column `author_id`. If the entity declares this column, it is used.
 */
export function belongsTo<Target>(target: () => Target): Relation<Target, 'belongs-to', null, false>
export function belongsTo<Target, const Property extends string>(
  target: () => Target,
  property: Property,
): Relation<Target, 'belongs-to', Property, false>
export function belongsTo<Target>(
  target: () => Target,
  property: string | null = null,
): Relation<Target, 'belongs-to', string | null, false> {
  return new Relation('belongs-to', target, property, false)
}

/** At most one row of the target holds this entity's key, in the target's `property`. */
export function hasOne<Target, const Property extends string>(
  target: () => Target,
  property: Property,
): Relation<Target, 'has-one', Property, true> {
  return new Relation('has-one', target, property, true)
}

/** Any number of rows of the target hold this entity's key, in the target's `property`. */
export function hasMany<Target, const Property extends string>(
  target: () => Target,
  property: Property,
): Relation<Target, 'has-many', Property, false> {
  return new Relation('has-many', target, property, false)
}

/** Rows of both sides are related through a join table. */
export function manyToMany<Target>(
  target: () => Target,
  bridge: Bridge,
): Relation<Target, 'many-to-many', null, false> {
  return new Relation('many-to-many', target, null, false, bridge)
}
