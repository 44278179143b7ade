import type { Column } from './column.ts'
import type { AnyEntity, Entity } from './entity.ts'
import type { Relation } from '../relations/relation.ts'

type ShapeOf<E> = E extends Entity<infer Shape> ? Shape : never

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

type IsSeveral<Names, Each = Names> = Names extends unknown
  ? [Each] extends [Names]
    ? false
    : true
  : never

type ValueOf<C> = C extends Column<infer T> ? T : never

/** The type of an entity's key: that of its column, or an object if it has several. */
export type KeyOf<E> = KeyIn<ShapeOf<E>, KeyNames<ShapeOf<E>>>

type KeyIn<Shape, Names extends keyof Shape> =
  IsSeveral<Names> extends false
    ? ValueOf<Shape[Names]>
    : { readonly [Name in Names]: ValueOf<Shape[Name]> }

type Flat<T> = { [Name in keyof T]: T[Name] }

/** A row of an entity, without its relations. */
export type RowOf<E extends AnyEntity> = Flat<
  {
    [Name in ColumnNames<ShapeOf<E>>]: ShapeOf<E>[Name] extends Column<infer T> ? T : never
  } & ForeignColumns<ShapeOf<E>>
>

/** The properties of an entity that are columns. */
export type ColumnOf<E extends AnyEntity> = keyof RowOf<E> & string

/** The text properties of an entity; an enumeration is not any text. */
export type TextColumnOf<E extends AnyEntity> = {
  [Name in ColumnOf<E>]: string extends RowOf<E>[Name]
    ? RowOf<E>[Name] extends string | null
      ? Name
      : never
    : never
}[ColumnOf<E>]

/** The relations of an entity. */
export type RelationOf<E extends AnyEntity> = RelationNamesOf<ShapeOf<E>>

type OptionalName<E extends AnyEntity> = {
  [Name in ColumnOf<E>]: Name extends keyof ShapeOf<E>
    ? ShapeOf<E>[Name] extends Column<unknown, true>
      ? Name
      : never
    : null extends RowOf<E>[Name]
      ? Name
      : never
}[ColumnOf<E>]

// No database generates a part of a key; texts are uuids, which the repository makes.
type GivenKey<Shape, Names = KeyNames<Shape>> =
  IsSeveral<Names> extends false
    ? never
    : Names extends keyof Shape
      ? ValueOf<Shape[Names]> extends string
        ? never
        : Names
      : never

type OmittedName<E extends AnyEntity> = Exclude<OptionalName<E>, GivenKey<ShapeOf<E>>>

/** The values of an insert: every column except those the database can fill. */
export type NewRowOf<E extends AnyEntity> = Flat<
  Omit<RowOf<E>, OmittedName<E>> & Partial<Pick<RowOf<E>, OmittedName<E>>>
>

/** The values of an update: any columns. */
export type ChangesOf<E extends AnyEntity> = Flat<Partial<RowOf<E>>>

/** The entity that a relation refers to. */
export type TargetOf<E extends AnyEntity, Name extends string> = Name extends keyof ShapeOf<E>
  ? ShapeOf<E>[Name] extends Relation<infer Target>
    ? Target extends AnyEntity
      ? Target
      : never
    : never
  : never

/** The value of a loaded relation whose rows are of type `Row`: a list, a row, or a row or null. */
export type RelatedValue<
  E extends AnyEntity,
  Name extends string,
  Row,
> = Name extends keyof ShapeOf<E>
  ? ShapeOf<E>[Name] extends Relation<unknown, infer Kind, string | null, infer Nullable>
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
