import { invalidArgument } from '../../../base/errors.ts'
import type { ColumnDefinition } from '../plan/column-reference.ts'
import { sql } from '../plan/statement.ts'
import { mariadbAlter } from './alter/mariadb-alter.ts'
import type { CatalogColumn, CatalogStatements } from './catalog/catalog-dialect.ts'
import { describeTable, fitsPattern } from './catalog/catalog-dialect.ts'
import { dropAll, limitedText, memberLength, membersCheck } from './schema-dialect.ts'
import { backquoted as quote } from './notation.ts'
import type { SchemaDialect } from './schema-dialect.ts'
import type { StatementRunner } from './statement-runner.ts'

// Advisory locks are server-wide here.
const lockName = `CONCAT('framework.migrations.', SHA1(DATABASE()))`

/** The schema dialect of MariaDB. */
export const mariadbSchema: SchemaDialect = {
  types: {
    integer: () => 'INT',
    'safe-integer': () => 'BIGINT',
    bigint: () => 'BIGINT',
    decimal: ({ precision, scale }) => `DECIMAL(${precision}, ${scale})`,
    float: () => 'DOUBLE',
    boolean: () => 'TINYINT(1)',
    text: (column) => limitedText(column) ?? 'LONGTEXT',
    // Its type UUID is ordered by other bytes than the text.
    uuid: () => 'CHAR(36) CHARACTER SET ascii COLLATE ascii_bin',
    // Its type ENUM is ordered by the declaration of the members, and has no range in an index.
    enumeration: (column) => `VARCHAR(${memberLength(column)})`,
    date: () => 'DATE',
    time: () => 'TIME',
    // TIMESTAMP ends in 2038 on older servers; sessions are in UTC, so this is the same point in
    // time.
    timestamp: () => 'DATETIME(6)',
    'exact-timestamp': () => 'DATETIME(6)',
    json: () => 'JSON',
    bytes: ({ length }) => (length === null ? 'LONGBLOB' : `VARBINARY(${length})`),
  },
  identity: 'BIGINT NOT NULL AUTO_INCREMENT',
  identityIsKey: false,
  now: 'CURRENT_TIMESTAMP(6)',
  literals: {
    boolean: (value) => (value ? '1' : '0'),
    text: textLiteral,
    bytes: (hex) => `x'${hex}'`,
  },
  check,
  // Texts are compared exactly, including trailing spaces, as on the other databases.
  tableOptions: ' ENGINE=InnoDB DEFAULT CHARSET=utf8mb4 COLLATE=utf8mb4_nopad_bin',
  addsConstraints: true,

  refuseUnindexable,
  refuseAdded: () => undefined,

  alter: mariadbAlter,
  catalog: {
    readTable: (runner, name) => describeTable(runner, statements(name)),
    fits: (type, column) => fitsPattern(patterns, type, column),
    integers: /^(?:tinyint|smallint|mediumint|int|bigint)\b/,
    estimateRows,
  },
  dropIndex: (index, table) => `DROP INDEX ${index} ON ${table}`,
  findTable: (name) =>
    sql`SELECT 1 AS found FROM information_schema.tables WHERE table_schema = DATABASE() AND table_name = ${name}`,
  listTables: sql`SELECT table_name AS name FROM information_schema.tables
    WHERE table_schema = DATABASE() AND table_type = 'BASE TABLE'`,
  dropEverything,

  implicitCommit: {
    isOpen: sql`SELECT @@in_transaction AS open`,
    begin: sql`START TRANSACTION`,
    reason: 'MariaDB cannot roll back schema changes',
  },
  runsAlone: false,
  sessionLock: {
    take: `SELECT GET_LOCK(${lockName}, 0) AS taken`,
    leave: `SELECT RELEASE_LOCK(${lockName})`,
    limitWait: (seconds) => [
      'SET @framework_wait = @@SESSION.lock_wait_timeout',
      `SET SESSION lock_wait_timeout = ${Math.ceil(seconds)}`,
    ],
    restoreWait: 'SET SESSION lock_wait_timeout = @framework_wait',
  },
}

function check(column: ColumnDefinition, name: string): string | null {
  if (column.kind === 'enumeration') return membersCheck(column, name, textLiteral)
  if (column.kind === 'uuid') return `${name} REGEXP '${uuidPattern}'`
  // The type is an integer of 8 bits.
  if (column.kind === 'boolean') return `${name} IN (0, 1)`
  // The type is a duration of up to 838 hours.
  return column.kind === 'time' ? `${name} BETWEEN '00:00:00' AND '23:59:59'` : null
}

const uuidPattern = '^[0-9a-f]{8}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{12}$'

function textLiteral(text: string): string {
  return `'${text.replaceAll("'", "''").replaceAll('\\', '\\\\')}'`
}

// JSON is a text here, too.
function refuseUnindexable(
  table: string,
  columns: readonly Pick<CatalogColumn, 'name' | 'type'>[],
  indexed: readonly string[],
): void {
  const unlimited = columns.find(
    ({ name, type }) => indexed.includes(name) && /(?:text|blob|^json)$/i.test(type),
  )
  if (unlimited === undefined) return
  throw invalidArgument(
    `${table}.${unlimited.name}: MariaDB cannot index text or bytes without a length; write text('${unlimited.name}', { length: 255 })`,
  )
}

async function dropEverything(runner: StatementRunner): Promise<void> {
  const found = await runner.rows(
    sql`SELECT table_name AS name, table_type AS kind FROM information_schema.tables
      WHERE table_schema = DATABASE() AND table_type IN ('VIEW', 'BASE TABLE', 'SYSTEM VERSIONED', 'SEQUENCE')`,
  )
  await runner.run(sql`SET SESSION foreign_key_checks = 0`)
  try {
    await dropAll(runner, quote, found, (kind) => kinds[kind] ?? 'TABLE')
  } finally {
    await runner.run(sql`SET SESSION foreign_key_checks = 1`)
  }
}

const kinds: Readonly<Record<string, string>> = { VIEW: 'VIEW', SEQUENCE: 'SEQUENCE' }

const text = /^(?:varchar|char|tinytext|text|mediumtext|longtext|uuid)\b/
// TIMESTAMP ends in 2038, or in 2106 on newer servers.
const moment = /^datetime\([3-6]\)$/

const patterns: Readonly<Record<string, RegExp>> = {
  // Those that are UNSIGNED hold no negative numbers.
  integer: /^(?:int|bigint)(?:\(\d+\))?$/,
  'safe-integer': /^bigint(?:\(\d+\))?$/,
  bigint: /^bigint(?:\(\d+\))?$/,
  decimal: /^decimal\((\d+),(\d+)\)$/,
  float: /^double\b/,
  boolean: /^tinyint\(1\)$/,
  text,
  uuid: /^(?:char\(36\)|uuid)$/,
  enumeration: text,
  date: /^date$/,
  time: /^time(?:\(\d\))?$/,
  timestamp: moment,
  'exact-timestamp': moment,
  json: /^(?:longtext|json)$/,
  bytes: /^(?:varbinary|binary|tinyblob|blob|mediumblob|longblob)\b/,
}

function statements(name: string): CatalogStatements {
  const ofTable = sql`table_schema = DATABASE() AND table_name = ${name}`
  return {
    table: sql`SELECT table_name AS name, table_type = 'VIEW' AS is_view
      FROM information_schema.tables WHERE ${ofTable}`,
    // The default of a nullable column without one is the text NULL.
    columns: sql`SELECT column_name AS name, LOWER(column_type) AS type, is_nullable,
        column_default AS expression, column_type AS members,
        extra REGEXP 'auto_increment|GENERATED' OR COALESCE(column_default, 'NULL') <> 'NULL' AS has_default
      FROM information_schema.columns WHERE ${ofTable} ORDER BY ordinal_position`,
    indexes: sql`SELECT index_name AS name, column_name, non_unique = 0 AS is_unique, 0 AS is_partial,
        index_name = 'PRIMARY' AS is_primary
      FROM information_schema.statistics WHERE ${ofTable} ORDER BY index_name, seq_in_index`,
    keys: sql`SELECT constraint_name AS name, column_name, referenced_table_name AS target_table, referenced_column_name AS target_column
      FROM information_schema.key_column_usage WHERE ${ofTable} AND referenced_table_name IS NOT NULL
      ORDER BY constraint_name, ordinal_position`,
    checks: sql`SELECT check_clause AS condition_text FROM information_schema.check_constraints
      WHERE constraint_schema = DATABASE() AND table_name = ${name} ORDER BY constraint_name`,
    membersIn,
  }
}

// `enum('draft','it''s live')`.
function membersIn(type: unknown): readonly string[] | null {
  if (typeof type !== 'string' || !/^enum\(/i.test(type)) return null
  return [...type.matchAll(/'((?:[^']|'')*)'/g)].map(([, member = '']) =>
    member.replaceAll("''", "'"),
  )
}

async function estimateRows(runner: StatementRunner, table: string): Promise<number> {
  const [row] = await runner.rows(
    sql`SELECT table_rows AS estimate FROM information_schema.tables
      WHERE table_schema = DATABASE() AND table_name = ${table}`,
  )
  return Number(row?.['estimate'] ?? 0)
}
