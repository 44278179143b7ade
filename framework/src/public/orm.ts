export { Awaiting, type AwaitingBridge } from '../data/repository/awaiting.ts'
export {
  bigint,
  boolean,
  bytes,
  Column,
  decimal,
  exactTimestamp,
  float,
  integer,
  json,
  key,
  text,
  timestamp,
  type DecimalOptions,
} from '../data/repository/column.ts'
export { Counts } from '../data/repository/counts.ts'
export type { CursorValue } from '../data/repository/cursor.ts'
export { Entity, entity, type AnyEntity, type EntityColumn } from '../data/repository/entity.ts'
export { Mapped } from '../data/repository/mapped.ts'
export { Modes } from '../data/repository/modes.ts'
export type { Paginated } from '../data/repository/paginated.ts'
export type {
  CursorInputs,
  PageInputs,
  PaginationInputs,
  PaginationSettings,
} from '../data/repository/pagination-inputs.ts'
export { Pagination, type PaginationOutcome } from '../data/repository/pagination.ts'
export {
  belongsTo,
  hasMany,
  hasOne,
  manyToMany,
  Relation,
  type Bridge,
  type RelationKind,
} from '../data/repository/relation.ts'
export { Repository, type OrderIn } from '../data/repository/repository.ts'
export type {
  ChangesOf,
  ColumnOf,
  KeyOf,
  LoadedRow,
  NewRowOf,
  RelationOf,
  RowOf,
  TextColumnOf,
} from '../data/repository/row.ts'
export {
  Selection,
  type FilterValue,
  type OrderKind,
  type Scope,
  type SeekOrder,
} from '../data/repository/selection.ts'
export type { UpsertOptions } from '../data/repository/upsert-query.ts'
export type { WalkOptions } from '../data/repository/walk.ts'
export type { ColumnKind } from '../data/sql/column-reference.ts'
export { Matches, Nulls, Operators, Orders } from '../data/sql/operators.ts'
