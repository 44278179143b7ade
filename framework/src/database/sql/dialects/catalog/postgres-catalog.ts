import { sql } from '../../plan/statement.ts'
import { doubleQuoted as quote } from '../notation.ts'
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

const text = /^(?:text|character varying|character|bpchar|citext|name|uuid)\b/
const moment = /^timestamp(?:\([3-6]\))? with time zone$/

const patterns: Readonly<Record<string, RegExp>> = {
  integer: /^(?:integer|bigint)$/,
  'safe-integer': /^bigint$/,
  bigint: /^bigint$/,
  decimal: /^numeric(?:\((\d+),(\d+)\))?$/,
  float: /^double precision$/,
  boolean: /^boolean$/,
  text,
  uuid: /^uuid$/,
  enumeration: text,
  date: /^date$/,
  time: /^time(?:\(\d\))? without time zone$/,
  timestamp: moment,
  'exact-timestamp': moment,
  json: /^jsonb?$/,
  bytes: /^bytea$/,
}

/** The catalog of PostgreSQL. */
export const postgresCatalog: CatalogDialect = {
  readTable,
  fits: (type, column) => fitsPattern(patterns, type, column),
  integers: /^(?:smallint|integer|bigint)$/,
  estimateRows,
}

async function readTable(runner: StatementRunner, name: string): Promise<CatalogTable | null> {
  const table = quote(name)
  const [found] = await runner.rows(
    sql`SELECT relname AS name, relkind::text AS kind FROM pg_catalog.pg_class
      WHERE oid = to_regclass(${table}) AND relkind IN ('r', 'p', 'f', 'v', 'm')`,
  )
  if (found === undefined) return null
  const columns = await runner.rows(
    sql`SELECT attname AS name, format_type(atttypid, atttypmod) AS type, NOT attnotnull AS is_nullable,
        atthasdef OR attidentity <> '' AS has_default, pg_get_expr(d.adbin, d.adrelid) AS expression,
        (SELECT json_agg(enumlabel)::text FROM pg_catalog.pg_enum WHERE enumtypid = atttypid) AS members
      FROM pg_catalog.pg_attribute a LEFT JOIN pg_catalog.pg_attrdef d ON d.adrelid = a.attrelid AND d.adnum = a.attnum
      WHERE attrelid = to_regclass(${table}) AND attnum > 0 AND NOT attisdropped ORDER BY attnum`,
  )
  const indexes = await runner.rows(
    sql`SELECT i.indexrelid::text AS name, a.attname AS column_name, i.indisunique AS is_unique,
        i.indpred IS NOT NULL AS is_partial, i.indisprimary AS is_primary
      FROM pg_catalog.pg_index i
      CROSS JOIN LATERAL unnest(i.indkey) WITH ORDINALITY AS k (num, place)
      LEFT JOIN pg_catalog.pg_attribute a ON a.attrelid = i.indrelid AND a.attnum = k.num AND k.num > 0
      WHERE i.indrelid = to_regclass(${table}) AND i.indisvalid AND k.place <= i.indnkeyatts
      ORDER BY i.indexrelid, k.place`,
  )
  const keys = await runner.rows(
    sql`SELECT c.conname AS name, a.attname AS column_name, t.relname AS target_table, b.attname AS target_column
      FROM pg_catalog.pg_constraint c
      JOIN pg_catalog.pg_class t ON t.oid = c.confrelid
      CROSS JOIN LATERAL unnest(c.conkey, c.confkey) WITH ORDINALITY AS k (num, target, place)
      JOIN pg_catalog.pg_attribute a ON a.attrelid = c.conrelid AND a.attnum = k.num
      JOIN pg_catalog.pg_attribute b ON b.attrelid = c.confrelid AND b.attnum = k.target
      WHERE c.conrelid = to_regclass(${table}) AND c.contype = 'f' ORDER BY c.conname, k.place`,
  )
  const checks = await runner.rows(
    sql`SELECT pg_get_expr(conbin, conrelid) AS condition_text FROM pg_catalog.pg_constraint
      WHERE conrelid = to_regclass(${table}) AND contype = 'c' ORDER BY conname`,
  )
  return {
    name: String(found['name']),
    isView: found['kind'] === 'v' || found['kind'] === 'm',
    columns: columns.map((column) => ({
      name: String(column['name']),
      type: String(column['type']),
      isNullable: isYes(column['is_nullable']),
      hasDefault: isYes(column['has_default']),
      default: defaultIn(column['expression']),
      limit: lengthIn(String(column['type'])),
      members: membersIn(column['members']),
    })),
    primary: indexes
      .filter((row) => isYes(row['is_primary']))
      .map((row) => String(row['column_name'])),
    indexes: indexesIn(indexes),
    foreignKeys: foreignKeysIn(keys),
    checks: checks.map((row) => String(row['condition_text'])),
  }
}

function membersIn(json: unknown): readonly string[] | null {
  const labels: unknown = typeof json === 'string' ? JSON.parse(json) : null
  return Array.isArray(labels) ? labels.map(String) : null
}

// Before the first ANALYZE only the size is known.
async function estimateRows(runner: StatementRunner, table: string): Promise<number> {
  const [row] = await runner.rows(
    sql`SELECT CASE WHEN reltuples >= 0 THEN reltuples ELSE pg_relation_size(oid) / 100.0 END::bigint AS estimate
      FROM pg_catalog.pg_class WHERE oid = to_regclass(${quote(table)})`,
  )
  return Number(row?.['estimate'] ?? 0)
}
