import type { ObjectRow } from '../database/object-rows.ts'
import type { Surface } from '../database/surface.ts'
import { Dialects } from '../sql/dialects/dialect.ts'
import { sql } from '../sql/plan/statement.ts'

/**
 * Drops every view and table of the database, whatever is in them and whoever refers to them. On
 * SQLite it takes a transaction without foreign keys.
 */
export async function dropEverything(surface: Surface): Promise<void> {
  const { name } = surface.dialect
  if (name === Dialects.Postgres) return dropPostgres(surface)
  return name === Dialects.MariaDB ? dropMariadb(surface) : dropSqlite(surface)
}

async function dropPostgres(surface: Surface): Promise<void> {
  // What an extension brought along goes with the extension only.
  const found = await surface.rows(
    sql`SELECT c.relname AS name, c.relkind AS kind FROM pg_catalog.pg_class c
      JOIN pg_catalog.pg_namespace n ON n.oid = c.relnamespace
      WHERE n.nspname = current_schema() AND c.relkind IN ('v', 'm', 'r', 'p', 'f') AND NOT EXISTS (
        SELECT 1 FROM pg_catalog.pg_depend d
        WHERE d.classid = 'pg_catalog.pg_class'::regclass AND d.objid = c.oid AND d.deptype = 'e')`,
  )
  const words: Readonly<Record<string, string>> = {
    v: 'VIEW',
    m: 'MATERIALIZED VIEW',
    f: 'FOREIGN TABLE',
  }
  await surface.transaction((transaction) =>
    dropAll(transaction, found, ({ kind }) => words[String(kind)] ?? 'TABLE', ' CASCADE'),
  )
}

async function dropMariadb(surface: Surface): Promise<void> {
  const found = await surface.rows(
    sql`SELECT table_name AS name, table_type AS kind FROM information_schema.tables
      WHERE table_schema = DATABASE() AND table_type IN ('VIEW', 'BASE TABLE', 'SYSTEM VERSIONED', 'SEQUENCE')`,
  )
  const words: Readonly<Record<string, string>> = { VIEW: 'VIEW', SEQUENCE: 'SEQUENCE' }
  await surface.run(sql`SET SESSION foreign_key_checks = 0`)
  try {
    await dropAll(surface, found, ({ kind }) => words[String(kind)] ?? 'TABLE')
  } finally {
    await surface.run(sql`SET SESSION foreign_key_checks = 1`)
  }
}

async function dropSqlite(surface: Surface): Promise<void> {
  const found = await surface.rows(
    sql`SELECT name, type AS kind FROM sqlite_schema
      WHERE type IN ('view', 'table') AND substr(name, 1, 7) <> 'sqlite_'
      ORDER BY type DESC, sql NOT LIKE 'CREATE VIRTUAL%'`,
  )
  await surface.transaction((transaction) =>
    dropAll(transaction, found, ({ kind }) => String(kind).toUpperCase()),
  )
}

// One may have taken others along, such as a view what stands on it.
async function dropAll(
  surface: Surface,
  found: readonly ObjectRow[],
  kindOf: (row: ObjectRow) => string,
  ending = '',
): Promise<void> {
  for (const row of found) {
    const name = surface.dialect.quote(String(row['name']))
    const statement = `DROP ${kindOf(row)} IF EXISTS ${name}${ending}`
    await surface.run({ sql: statement, parameters: [] })
  }
}
