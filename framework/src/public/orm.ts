export { compareSchema } from '../data/migrations/check/compare-schema.ts'
export { mendingMigration } from '../data/migrations/check/mending-migration.ts'
export {
  SchemaAspects,
  type Mend,
  type SchemaDifference,
} from '../data/migrations/check/schema-difference.ts'
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
} from '../data/repository/aggregates/aggregate.ts'
export { Awaiting, type AwaitingBridge } from '../data/repository/pagination/awaiting.ts'
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
} from '../data/repository/entity/column.ts'
export { createdAt, updatedAt, version } from '../data/repository/entity/kept-columns.ts'
export { Counts } from '../data/repository/pagination/counts.ts'
export type { CursorValue } from '../data/repository/pagination/cursor.ts'
export {
  Entity,
  entity,
  type AnyEntity,
  type EntityColumn,
  type EntityOptions,
} from '../data/repository/entity/entity.ts'
export type { FilterOperator, FilterValue } from '../data/repository/entity/filter-value.ts'
export { Mapped } from '../data/repository/pagination/mapped.ts'
export { Modes } from '../data/repository/pagination/modes.ts'
export type { Paginated } from '../data/repository/pagination/paginated.ts'
export type {
  CursorInputs,
  PageInputs,
  PaginationInputs,
  PaginationSettings,
} from '../data/repository/pagination/pagination-inputs.ts'
export { Pagination, type PaginationOutcome } from '../data/repository/pagination/pagination.ts'
export {
  belongsTo,
  hasMany,
  hasOne,
  manyToMany,
  Relation,
  type Bridge,
  type RelationKind,
} from '../data/repository/relations/relation.ts'
export type { LinkedKeyOf, ManyToManyOf } from '../data/repository/relations/bridge-keys.ts'
export type { BridgeChanges } from '../data/repository/relations/sync-bridge.ts'
export { Repository } from '../data/repository/repository.ts'
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
} from '../data/repository/entity/row.ts'
export {
  Selection,
  type AnySelection,
  type CountChoices,
  type OrderIn,
  type OrderKind,
  type RelationChoices,
  type Scope,
} from '../data/repository/selection.ts'
export type { LockOptions, SeekOrder } from '../data/repository/selection-arguments.ts'
export type { IncrementsOf } from '../data/repository/rows/increments.ts'
export { StaleRowError } from '../data/repository/rows/stale-row-error.ts'
export type { UpsertOptions } from '../data/repository/rows/upsert-query.ts'
export type { WalkOptions } from '../data/repository/pagination/walk.ts'
export type { AggregateKind } from '../data/sql/plan/aggregate.ts'
export type { ColumnKind } from '../data/sql/plan/column-reference.ts'
export { Matches, Nulls, Operators, Orders } from '../data/sql/plan/operators.ts'
