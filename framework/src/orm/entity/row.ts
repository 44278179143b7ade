import type { ColumnKind } from '../../database/sql/plan/column-reference.ts'
import type { Operators } from '../../database/sql/plan/operators.ts'
import type { Relation } from '../relations/relation.ts'
import type { Column } from './column.ts'
import type { AnyEntity, Entity, Refused } from './entity.ts'

/** The columns and relations of an entity, as declared. */
export type ShapeOf<E> = E extends Entity<infer Shape> ? Shape : never

type ColumnNames<Shape> = {
  [Name in keyof Shape]: Shape[Name] extends Column<unknown> ? Name : never
}[keyof Shape] &
  string

type RelationNamesOf<Shape> = {
  [Name in keyof Shape]: Shape[Name] extends Relation<unknown> ? Name : never
}[keyof Shape] &
  string

// The foreign keys implied by relations; a declared column of the same name takes precedence.
type ForeignName<Shape, Name extends string> = Name extends keyof Shape
  ? Shape[Name] extends Relation<unknown, 'belongs-to', infer Property>
    ? Exclude<Property extends string ? Property : `${Name}Id`, keyof Shape>
    : never
  : never

type ForeignColumns<Shape> = {
  [Name in RelationNamesOf<Shape> as ForeignName<Shape, Name>]: Shape[Name] extends Relation<
    infer Target,
    'belongs-to',
    string | null,
    infer Nullable
  >
    ? KeyOf<Target> | (Nullable extends true ? null : never)
    : never
}

type KeyNames<Shape> = {
  [Name in keyof Shape]: Shape[Name] extends Column<unknown, boolean, true> ? Name : never
}[keyof Shape]

/** The properties of an entity that are its key. */
export type KeyNameOf<E> = KeyNames<ShapeOf<E>>

type IsSeveral<Names, Each = Names> = Names extends unknown
  ? [Each] extends [Names]
    ? false
    : true
  : never

type ValueOf<C> = C extends Column<infer T> ? T : never

/** The type of an entity's key: that of its column, or an object if it has several. */
export type KeyOf<E> = KeyIn<ShapeOf<E>, KeyNames<ShapeOf<E>>>

type KeyIn<Shape, Names extends keyof Shape> = [Names] extends [never]
  ? Refused<'the entity has no key; add one, as in id: key.integer()'>
  : IsSeveral<Names> extends false
    ? ValueOf<Shape[Names]>
    : { readonly [Name in Names]: ValueOf<Shape[Name]> }

type Flat<T> = { [Name in keyof T]: T[Name] }

/** A row of an entity, without its relations. */
export type RowOf<E extends AnyEntity> = RowIn<ShapeOf<E>>

type RowIn<Shape> = Flat<
  { [Name in ColumnNames<Shape>]: ValueOf<Shape[Name]> } & ForeignColumns<Shape>
>

/** The properties of an entity that are columns. */
export type ColumnOf<E extends AnyEntity> = keyof RowOf<E> & string

/** Whether a property is a column of one of these kinds; false for a kind that is not known. */
export type HasKind<E extends AnyEntity, Name, Kind extends ColumnKind> = IsKind<
  ShapeOf<E>,
  Name,
  Kind
>

type IsKind<Shape, Name, Kind extends ColumnKind> = Name extends keyof Shape
  ? Shape[Name] extends Column<unknown, boolean, boolean, Kind>
    ? true
    : false
  : false

/** Refuses a document, which databases compare differently. */
export type NotJson<E extends AnyEntity, Name> =
  HasKind<E, Name, 'json'> extends true
    ? Refused<'a JSON column is neither compared nor ordered nor grouped; use where(sql`…`)'>
    : unknown

/** The same for each of several. */
export type NoneJson<E extends AnyEntity, Name> = Name extends unknown
  ? Name & NotJson<E, Name>
  : never

/** Refuses a relation whose foreign key is missing, or is not of the type of the key it refers to. */
export type SoundRelation<E extends AnyEntity, Name> = SoundIn<E, ShapeOf<E>, Name>

type SoundIn<E, Shape, Name> = Name extends keyof Shape
  ? Shape[Name] extends Relation<infer Target, infer Kind, infer Property>
    ? Kind extends 'has-one' | 'has-many'
      ? RefersTo<E, ShapeOf<Target>, Property>
      : Kind extends 'belongs-to'
        ? OwnForeign<Shape, Property extends string ? Property : `${Name & string}Id`, Target>
        : unknown
    : unknown
  : unknown

// A foreign key that is not declared as a column has the right type by itself.
type OwnForeign<Shape, Property, Target> = Property extends keyof Shape
  ? Refers<ValueOf<Shape[Property]>, KeyOf<Target>, Property>
  : unknown

type RefersTo<E, Shape, Property> = Property extends keyof Shape
  ? Refers<ValueOf<Shape[Property]>, KeyOf<E>, Property>
  : Property extends `${infer Name extends keyof Shape & string}Id`
    ? Shape[Name] extends Relation<E, 'belongs-to', null>
      ? unknown
      : RefersByName<E, Shape, Property>
    : RefersByName<E, Shape, Property>

// The relation itself may name its foreign key; that is rarer, and takes the compiler longer to see.
type RefersByName<E, Shape, Property> = Property extends keyof ForeignColumns<Shape>
  ? Refers<ForeignColumns<Shape>[Property], KeyOf<E>, Property>
  : Refused<`the relation names the foreign key ${Property & string}, which no column has`>

type Refers<Value, Key, Property> =
  Key extends NonNullable<Value>
    ? unknown
    : Refused<`the foreign key ${Property & string} is not of the type of the key it refers to`>

/** The text properties of an entity; an enumeration is not any text. */
export type TextColumnOf<E extends AnyEntity> = TextNames<RowOf<E>> & string

type TextNames<Row> = {
  [Name in keyof Row]: string extends Row[Name]
    ? Row[Name] extends string | null
      ? Name
      : never
    : never
}[keyof Row]

/** The relations of an entity. */
export type RelationOf<E extends AnyEntity> = RelationNamesOf<ShapeOf<E>>

type OptionalName<Shape, Row = RowIn<Shape>> = {
  [Name in keyof Row]: Name extends keyof Shape
    ? Shape[Name] extends Column<unknown, true>
      ? Name
      : never
    : null extends Row[Name]
      ? Name
      : never
}[keyof Row]

// No database generates a part of a key; texts are uuids, which the repository makes.
type GivenKey<Shape, Names = KeyNames<Shape>> =
  IsSeveral<Names> extends false
    ? never
    : Names extends keyof Shape
      ? ValueOf<Shape[Names]> extends string
        ? never
        : Names
      : never

type OmittedName<Shape> = Exclude<OptionalName<Shape>, GivenKey<Shape>>

/** The values of an insert: every column except those the database can fill. */
export type NewRowOf<E extends AnyEntity> = Flat<
  Omit<RowOf<E>, OmittedName<ShapeOf<E>>> & Partial<Pick<RowOf<E>, OmittedName<ShapeOf<E>>>>
>

/** The values of an update: any columns. */
export type ChangesOf<E extends AnyEntity> = Flat<Partial<RowOf<E>>>

/** The columns of the rows that `belongsTo` relations refer to: `author.name`. */
export type RelatedColumnOf<E extends AnyEntity> = {
  [Name in RelationOf<E>]: ShapeOf<E>[Name & keyof ShapeOf<E>] extends Relation<
    infer Target extends AnyEntity,
    'belongs-to'
  >
    ? `${Name}.${ComparableColumnOf<Target>}`
    : never
}[RelationOf<E>]

type ComparableColumnOf<E extends AnyEntity> = {
  [Name in ColumnOf<E>]: HasKind<E, Name, 'json'> extends true ? never : Name
}[ColumnOf<E>]

/** The columns of a group; of a related row that may be missing or hidden, also null. */
export type GroupOf<E extends AnyEntity, Names extends string> = {
  [Name in Names]: Name extends `${infer Related}.${infer Column}`
    ?
        | RowOf<TargetOf<E, Related>>[Column & keyof RowOf<TargetOf<E, Related>>]
        | (TargetOf<E, Related> extends Entity<object, null> ? never : null)
        | Extract<RelatedValue<E, Related, never>, null>
    : RowOf<E>[Name & keyof RowOf<E>]
}

/** The entity that a relation refers to. */
export type TargetOf<E extends AnyEntity, Name extends string> = TargetIn<ShapeOf<E>, Name>

type TargetIn<Shape, Name> = Name extends keyof Shape
  ? Shape[Name] extends Relation<infer Target extends AnyEntity>
    ? Target
    : never
  : never

/** The value of a loaded relation whose rows are of type `Row`: a list, a row, or a row or null. */
export type RelatedValue<E extends AnyEntity, Name extends string, Row> = RelatedIn<
  ShapeOf<E>,
  Name,
  Row
>

type RelatedIn<Shape, Name, Row> = Name extends keyof Shape
  ? Shape[Name] extends Relation<unknown, infer Kind, string | null, infer Nullable>
    ? Kind extends 'has-many' | 'many-to-many'
      ? Row[]
      : Row | (Nullable extends true ? null : never)
    : never
  : never

/** The loaded relations of a row, by name. */
export type RelatedRows<E extends AnyEntity, Loaded extends string> = {
  [Name in Loaded]: RelatedValue<E, Name, RowOf<TargetOf<E, Name>>>
}

/** The row of a selection: its columns and what is loaded with them. */
export type SelectedRow<Loaded, Columns> = unknown extends Loaded ? Columns : Flat<Columns & Loaded>

/** A row with the loaded relations. */
export type LoadedRow<E extends AnyEntity, Loaded extends string> = [Loaded] extends [never]
  ? RowOf<E>
  : SelectedRow<RelatedRows<E, Loaded>, RowOf<E>>

/** The loaded relations of a row, as chosen. */
export type ChosenRows<E extends AnyEntity, Choices> = {
  [Name in keyof Choices & string]: RelatedValue<
    E,
    Name,
    ChosenRow<TargetOf<E, Name>, Choices[Name]>
  >
}

type ChosenRow<E extends AnyEntity, Choice> = Choice extends (...selection: never) => {
  readonly loaded: infer Loaded
  readonly shown: infer Columns
}
  ? SelectedRow<Loaded, Columns>
  : RowOf<E>

/** The counts of relations, as properties of a row. */
export type RelationCounts<Names extends string> = { [Name in Names as `${Name}Count`]: number }

/** The operators of a filter, and the shorter signs of some. */
export type FilterOperator = Operators | '=' | '!=' | '>' | '>=' | '<' | '<='

/** The arguments of a condition on a value of type `T`, after its operator. */
export type FilterValue<T, Operator extends FilterOperator> = Operator extends 'between'
  ? [range: readonly [NonNullable<T>, NonNullable<T>]]
  : Operator extends 'in'
    ? [values: readonly NonNullable<T>[]]
    : Operator extends 'is-null' | 'is-not-null'
      ? []
      : Operator extends 'is-true' | 'is-false'
        ? T extends boolean | null
          ? []
          : [never]
        : Operator extends 'equal' | 'unequal' | '=' | '!='
          ? [value: T]
          : [value: NonNullable<T>]

/** The arguments of a filter, after its column and operator. */
export type ColumnFilterValue<
  E extends AnyEntity,
  Name extends ColumnOf<E>,
  Operator extends FilterOperator,
> =
  HasKind<E, Name, 'json'> extends true
    ? Operator extends 'is-null' | 'is-not-null'
      ? []
      : [value: Refused<'databases compare JSON differently; use where(sql`…`)'>]
    : FilterValue<RowOf<E>[Name], Operator>

/** The columns of an entity that are never NULL. */
export type ExactColumnOf<E extends AnyEntity> = ExactNames<RowOf<E>> & string

type ExactNames<Row> = { [Name in keyof Row]: null extends Row[Name] ? never : Name }[keyof Row]
