import { InvalidArgumentException } from '../../base/errors.ts'
import type { ColumnKind } from '../sql/plan/column-reference.ts'
import type { Dialect, Dialects } from '../sql/dialects/dialect.ts'
import type { ColumnDefinition } from './column-builder.ts'

type TypeOf = (column: ColumnDefinition) => string
type Types = Readonly<Record<ColumnKind, TypeOf>>

const postgres: Types = {
  integer: () => 'INTEGER',
  bigint: () => 'BIGINT',
  decimal: ({ precision, scale }) => `NUMERIC(${precision}, ${scale})`,
  float: () => 'DOUBLE PRECISION',
  boolean: () => 'BOOLEAN',
  text: ({ length, isFixed }) => (length === null ? 'TEXT' : limited(length, isFixed)),
  timestamp: () => 'TIMESTAMPTZ(6)',
  'exact-timestamp': () => 'TIMESTAMPTZ(6)',
  json: () => 'JSONB',
  bytes: () => 'BYTEA',
}

const mariadb: Types = {
  integer: () => 'INT',
  bigint: () => 'BIGINT',
  decimal: ({ precision, scale }) => `DECIMAL(${precision}, ${scale})`,
  float: () => 'DOUBLE',
  boolean: () => 'TINYINT(1)',
  text: ({ length, isFixed }) => (length === null ? 'LONGTEXT' : limited(length, isFixed)),
  // TIMESTAMP ends in 2038 on servers of some age; sessions are in UTC, so this is the same moment.
  timestamp: () => 'DATETIME(6)',
  'exact-timestamp': () => 'DATETIME(6)',
  json: () => 'JSON',
  bytes: ({ length }) => (length === null ? 'LONGBLOB' : `VARBINARY(${length})`),
}

const sqlite: Types = {
  integer: () => 'INTEGER',
  bigint: () => 'INTEGER',
  decimal: ({ name, precision, scale }) => {
    if (precision <= 15) return `DECIMAL(${precision}, ${scale})`
    throw new InvalidArgumentException(
      'E_INVALID_ARGUMENT',
      `${name}: SQLite keeps at most 15 digits of a decimal exactly, came ${precision}`,
    )
  },
  float: () => 'REAL',
  boolean: () => 'INTEGER',
  text: () => 'TEXT',
  timestamp: () => 'TEXT',
  'exact-timestamp': () => 'TEXT',
  json: () => 'TEXT',
  bytes: () => 'BLOB',
}

const types: Readonly<Record<Dialects, Types>> = { postgres, mariadb, sqlite }

/**
 * The type of a column in the words of one database.
 * @throws InvalidArgumentException for a decimal that SQLite could not keep exactly.
 */
export function columnType(column: ColumnDefinition, dialect: Dialect): string {
  return types[dialect.name][column.kind](column)
}

/** Whether MariaDB can put the whole column into an index. */
export function isIndexable({ kind, length }: ColumnDefinition): boolean {
  return kind !== 'json' && (length !== null || (kind !== 'text' && kind !== 'bytes'))
}

/**
 * What SQLite, which takes any value in any column, must be told so that it refuses what the other
 * databases refuse. Null when its type says enough.
 */
export function sqliteCheck(
  { kind, length, isFixed }: ColumnDefinition,
  name: string,
): string | null {
  if (kind === 'boolean') return `${name} IN (0, 1)`
  if (kind === 'json') return `json_valid(${name})`
  if (kind === 'text' || kind === 'bytes') {
    return length === null ? null : `length(${name}) ${isFixed ? '=' : '<='} ${length}`
  }
  // Text order is time order only as long as every row has the same form.
  if (kind === 'timestamp') return `${name} GLOB '????-??-?? ??:??:??.??????'`
  return null
}

function limited(length: number, isFixed: boolean): string {
  return isFixed ? `CHAR(${length})` : `VARCHAR(${length})`
}
