export { compareSchema } from '../migrations/check/compare-schema.ts'
export {
  SchemaAspects,
  schemaFixMigration,
  type SchemaDifference,
} from '../migrations/check/schema-difference.ts'
export {
  Aggregate,
  average,
  count,
  maximum,
  minimum,
  sum,
  type AggregateRow,
  type AggregateValue,
  type Grouped,
  type OrderedColumnOf,
} from '../orm/aggregate.ts'
export { Awaiting } from '../orm/pagination/paginated.ts'
export {
  bigint,
  boolean,
  bytes,
  Column,
  date,
  decimal,
  enumeration,
  exactTimestamp,
  float,
  integer,
  json,
  key,
  safeInteger,
  text,
  time,
  timestamp,
  uuid,
} from '../orm/entity/column.ts'
export { createdAt, updatedAt, version } from '../orm/entity/column.ts'
export { Counts } from '../orm/pagination/pagination.ts'
export type { CursorValue } from '../orm/pagination/cursor.ts'
export { Entity, entity, type AnyEntity, type EntityColumn } from '../orm/entity/entity.ts'
export type { FilterOperator, FilterValue } from '../orm/entity/row.ts'
export { Mapped } from '../orm/pagination/pagination.ts'
export { Modes } from '../orm/pagination/pagination.ts'
export type { Paginated } from '../orm/pagination/paginated.ts'
export { Pagination } from '../orm/pagination/pagination.ts'
export {
  belongsTo,
  hasMany,
  hasOne,
  manyToMany,
  Relation,
  type Bridge,
  type RelationKind,
} from '../orm/relations/relation.ts'
export type { LinkedKeyOf, ManyToManyOf } from '../orm/relations/write-links.ts'
export type { BridgeChanges } from '../orm/relations/write-links.ts'
export { Repository } from '../orm/repository.ts'
export type {
  ChangesOf,
  ChosenRows,
  ColumnOf,
  KeyOf,
  LoadedRow,
  NewRowOf,
  RelatedRows,
  RelatedValue,
  RelationCounts,
  RelationOf,
  RowOf,
  SelectedRow,
  TargetOf,
  TextColumnOf,
} from '../orm/entity/row.ts'
export { Selection, type AnySelection, type Scope } from '../orm/selection.ts'
export type { IncrementsOf } from '../orm/rows/increment-rows.ts'
export { StaleRowError } from '../orm/rows/update-rows.ts'
export type { ColumnKind } from '../database/sql/plan/column-reference.ts'
export { Matches, Nulls, Operators, Orders } from '../database/sql/plan/operators.ts'
