import { sql } from '../../plan/statement.ts'
import type { StatementRunner } from '../statement-runner.ts'
import type { CatalogDialect, CatalogTable } from './catalog-dialect.ts'
import {
  defaultIn,
  fitsPattern,
  foreignKeysIn,
  indexesIn,
  isYes,
  lengthIn,
} from './catalog-rows.ts'

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

/** The catalog of MariaDB. */
export const mariadbCatalog: CatalogDialect = {
  readTable,
  fits: (type, column) => fitsPattern(patterns, type, column),
  integers: /^(?:tinyint|smallint|mediumint|int|bigint)\b/,
  estimateRows,
}

async function readTable(runner: StatementRunner, name: string): Promise<CatalogTable | null> {
  const [found] = await runner.rows(
    sql`SELECT table_name AS name, table_type AS kind FROM information_schema.tables
      WHERE table_schema = DATABASE() AND table_name = ${name}`,
  )
  if (found === undefined) return null
  const columns = await runner.rows(
    sql`SELECT column_name AS name, column_type AS type, is_nullable, column_default, extra
      FROM information_schema.columns WHERE table_schema = DATABASE() AND table_name = ${name}
      ORDER BY ordinal_position`,
  )
  const indexes = await runner.rows(
    sql`SELECT index_name AS name, column_name, non_unique = 0 AS is_unique, 0 AS is_partial
      FROM information_schema.statistics WHERE table_schema = DATABASE() AND table_name = ${name}
      ORDER BY index_name, seq_in_index`,
  )
  const keys = await runner.rows(
    sql`SELECT constraint_name AS name, column_name, referenced_table_name AS target_table, referenced_column_name AS target_column
      FROM information_schema.key_column_usage
      WHERE table_schema = DATABASE() AND table_name = ${name} AND referenced_table_name IS NOT NULL
      ORDER BY constraint_name, ordinal_position`,
  )
  const checks = await runner.rows(
    sql`SELECT check_clause AS condition_text FROM information_schema.check_constraints
      WHERE constraint_schema = DATABASE() AND table_name = ${name} ORDER BY constraint_name`,
  )
  return {
    name: String(found['name']),
    isView: found['kind'] === 'VIEW',
    columns: columns.map((column) => ({
      name: String(column['name']),
      type: String(column['type']).toLowerCase(),
      isNullable: isYes(column['is_nullable']),
      hasDefault: hasDefault(column),
      default: defaultIn(column['column_default']),
      limit: lengthIn(String(column['type'])),
      members: membersIn(String(column['type'])),
    })),
    primary: indexes
      .filter((row) => row['name'] === 'PRIMARY')
      .map((row) => String(row['column_name'])),
    indexes: indexesIn(indexes),
    foreignKeys: foreignKeysIn(keys),
    checks: checks.map((row) => String(row['condition_text'])),
  }
}

// `enum('draft','it''s live')`.
function membersIn(type: string): readonly string[] | null {
  if (!/^enum\(/i.test(type)) return null
  return [...type.matchAll(/'((?:[^']|'')*)'/g)].map(([, member = '']) =>
    member.replaceAll("''", "'"),
  )
}

// The default of a nullable column without one is the text NULL.
function hasDefault(column: Readonly<Record<string, unknown>>): boolean {
  if (/auto_increment|GENERATED/i.test(String(column['extra']))) return true
  return defaultIn(column['column_default']) !== null
}

async function estimateRows(runner: StatementRunner, table: string): Promise<number> {
  const [row] = await runner.rows(
    sql`SELECT table_rows AS estimate FROM information_schema.tables
      WHERE table_schema = DATABASE() AND table_name = ${table}`,
  )
  return Number(row?.['estimate'] ?? 0)
}
