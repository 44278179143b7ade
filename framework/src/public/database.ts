export { connect, type ConnectOptions } from '../data/database/connect.ts'
export {
  DatabaseError,
  type DatabaseFailure,
  type FailureDetails,
} from '../data/database/database-error.ts'
export type {
  DeclaredColumn,
  DeclaredColumns,
  DeclaredOptions,
  DeclaredRow,
  ObjectRow,
  RowDeclaration,
} from '../data/sql/rows/declared-rows.ts'
export { RowError } from '../data/sql/rows/row-error.ts'
export type { Notices } from '../data/database/notices.ts'
export type { Operation, Result, ResultDetails } from '../data/database/operation.ts'
export type { QueryEntry, QueryLog } from '../data/database/query-log.ts'
export type {
  Database,
  Surface,
  Transaction,
  TransactionOptions,
} from '../data/database/surface.ts'
export { BridgeError, BusyError, PendingError } from '../data/database/surface-errors.ts'
export type {
  ColumnBuilder,
  ReferenceOptions,
  TimestampBuilder,
} from '../data/migrations/column-builder.ts'
export type {
  CreateIndexOptions,
  IndexColumn,
  IndexOptions,
} from '../data/migrations/index-definition.ts'
export { MigrationError } from '../data/migrations/migration-error.ts'
export { MigrationStates, type MigrationStatus } from '../data/migrations/migration-states.ts'
export type { MigrationStep } from '../data/migrations/migration-step.ts'
export type { MigrationWarning } from '../data/migrations/migration-warning.ts'
export {
  migrate,
  Migrator,
  pendingMigrations,
  type FreshOptions,
  type MigratorOptions,
  type UpOptions,
} from '../data/migrations/migrator.ts'
export type { ForeignKeyOptions, Schema } from '../data/migrations/schema.ts'
export { seed, type Seed, type SeedOptions, type SeedContext } from '../data/migrations/seed.ts'
export type { DigitOptions, LengthOptions, TableBuilder } from '../data/migrations/table-builder.ts'
export { Dialects, type Dialect } from '../data/sql/dialects/dialect.ts'
export type { OnDelete } from '../data/sql/plan/column-definition.ts'
export type { Query } from '../data/sql/plan/query.ts'
export { sql, Statement, type Sql } from '../data/sql/plan/statement.ts'
