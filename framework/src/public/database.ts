export { connect, type ConnectOptions } from '../database/connect.ts'
export {
  DatabaseError,
  type DatabaseFailure,
  type FailureDetails,
} from '../database/database-error.ts'
export type {
  DeclaredColumn,
  DeclaredColumns,
  DeclaredOptions,
  DeclaredRow,
  ObjectRow,
  RowDeclaration,
} from '../database/sql/rows/declared-rows.ts'
export { RowError } from '../database/database-error.ts'
export type { Notices } from '../database/surface.ts'
export type { Operation, Result, ResultDetails } from '../database/operation.ts'
export type { QueryEntry, QueryLog } from '../database/query-log.ts'
export type { Database, Surface, Transaction, TransactionOptions } from '../database/surface.ts'
export { BridgeError, BusyError, PendingError } from '../database/database-error.ts'
export type {
  ColumnBuilder,
  ReferenceOptions,
  TimestampBuilder,
} from '../migrations/column-builder.ts'
export type {
  CreateIndexOptions,
  IndexColumn,
  IndexOptions,
} from '../migrations/index-definition.ts'
export { MigrationError } from '../migrations/migration-error.ts'
export { MigrationStates, type MigrationStatus } from '../migrations/migration-states.ts'
export type { MigrationStep } from '../migrations/migration-error.ts'
export type { MigrationWarning } from '../migrations/alter-table.ts'
export {
  migrate,
  Migrator,
  pendingMigrations,
  type FreshOptions,
  type MigratorOptions,
  type UpOptions,
} from '../migrations/migrator.ts'
export type { ForeignKeyOptions, Schema } from '../migrations/schema.ts'
export { seed, type Seed, type SeedOptions, type SeedContext } from '../migrations/seed.ts'
export type { DigitOptions, LengthOptions, TableBuilder } from '../migrations/table-builder.ts'
export { Dialects, type Dialect } from '../database/sql/dialects/dialect.ts'
export type { OnDelete } from '../database/sql/plan/column-reference.ts'
export type { Query } from '../database/sql/plan/query.ts'
export { sql, Statement, type Sql } from '../database/sql/plan/statement.ts'
