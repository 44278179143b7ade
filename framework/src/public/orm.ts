export { compareSchema } from '../migrations/check/compare-schema.ts'
export { mendingMigration } from '../migrations/check/mending-migration.ts'
export {
  SchemaAspects,
  type Mend,
  type SchemaDifference,
} from '../migrations/check/schema-difference.ts'
export {
  Aggregate,
  average,
  count,
  maximum,
  minimum,
  sum,
  type AggregateOf,
  type AggregateRow,
  type AggregateValue,
  type Grouped,
  type OrderedColumnOf,
  type SummableColumnOf,
} from '../orm/aggregates/aggregate.ts'
export { Awaiting, type AwaitingBridge } from '../orm/pagination/awaiting.ts'
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
  type DecimalOptions,
} from '../orm/entity/column.ts'
export { createdAt, updatedAt, version } from '../orm/entity/kept-columns.ts'
export { Counts } from '../orm/pagination/counts.ts'
export type { CursorValue } from '../orm/pagination/cursor.ts'
export {
  Entity,
  entity,
  type AnyEntity,
  type EntityColumn,
  type EntityOptions,
} from '../orm/entity/entity.ts'
export type { FilterOperator, FilterValue } from '../orm/entity/filter-value.ts'
export { Mapped } from '../orm/pagination/mapped.ts'
export { Modes } from '../orm/pagination/modes.ts'
export type { Paginated } from '../orm/pagination/paginated.ts'
export type {
  CursorInputs,
  PageInputs,
  PaginationInputs,
  PaginationSettings,
} from '../orm/pagination/pagination-inputs.ts'
export { Pagination, type PaginationOutcome } from '../orm/pagination/pagination.ts'
export {
  belongsTo,
  hasMany,
  hasOne,
  manyToMany,
  Relation,
  type Bridge,
  type RelationKind,
} from '../orm/relations/relation.ts'
export type { LinkedKeyOf, ManyToManyOf } from '../orm/relations/bridge-keys.ts'
export type { BridgeChanges } from '../orm/relations/sync-bridge.ts'
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
export {
  Selection,
  type AnySelection,
  type CountChoices,
  type OrderIn,
  type OrderKind,
  type RelationChoices,
  type Scope,
} from '../orm/selection.ts'
export type { LockOptions, SeekOrder } from '../orm/selection-arguments.ts'
export type { IncrementsOf } from '../orm/rows/increments.ts'
export { StaleRowError } from '../orm/rows/stale-row-error.ts'
export type { UpsertOptions } from '../orm/rows/upsert-query.ts'
export type { WalkOptions } from '../orm/pagination/walk.ts'
export type { AggregateKind } from '../database/sql/plan/aggregate.ts'
export type { ColumnKind } from '../database/sql/plan/column-reference.ts'
export { Matches, Nulls, Operators, Orders } from '../database/sql/plan/operators.ts'
