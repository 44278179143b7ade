import { invalidArgument } from '../../../base/errors.ts'
import type { InvalidArgumentException } from '../../../base/errors.ts'
import type { ColumnDefinition } from '../plan/column-reference.ts'
import { sql } from '../plan/statement.ts'
import { mariadbAlter } from './alter/mariadb-alter.ts'
import { mariadbCatalog } from './catalog/mariadb-catalog.ts'
import { dropAll, limitedText, memberLength, membersCheck, namesIn } from './schema-clauses.ts'
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
  refuseUnindexableIn,
  refuseAdded: () => undefined,

  alter: mariadbAlter,
  catalog: mariadbCatalog,
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

function refuseUnindexable(
  table: string,
  columns: readonly ColumnDefinition[],
  indexed: readonly string[],
): void {
  const unlimited = columns.find((column) => !isIndexable(column) && indexed.includes(column.name))
  if (unlimited !== undefined) throw unindexable(table, unlimited.name)
}

function isIndexable({ kind, length }: ColumnDefinition): boolean {
  return kind !== 'json' && (length !== null || (kind !== 'text' && kind !== 'bytes'))
}

async function refuseUnindexableIn(
  runner: StatementRunner,
  table: string,
  indexed: readonly string[],
): Promise<void> {
  const found = await runner.rows(
    sql`SELECT column_name AS name FROM information_schema.columns WHERE table_schema = DATABASE()
      AND table_name = ${table} AND (data_type LIKE '%text' OR data_type LIKE '%blob')
      AND column_name IN (${sql.list(indexed)})`,
  )
  const [unlimited] = namesIn(found)
  if (unlimited !== undefined) throw unindexable(table, unlimited)
}

function unindexable(table: string, column: string): InvalidArgumentException {
  return invalidArgument(
    `${table}.${column}: MariaDB cannot index text or bytes without a length; write text('${column}', { length: 255 })`,
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
