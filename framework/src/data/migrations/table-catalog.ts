import type { Surface } from '../database/surface.ts'
import { Dialects } from '../sql/dialects/dialect.ts'
import { sql } from '../sql/plan/statement.ts'
import type { Statement } from '../sql/plan/statement.ts'

/** Whether the database has a table or view of this name. */
export async function hasTable(surface: Surface, name: string): Promise<boolean> {
  return (await surface.rows(looking(surface, name))).length > 0
}

function looking({ dialect }: Surface, name: string): Statement {
  if (dialect.name === Dialects.SQLite) {
    return sql`SELECT 1 AS found FROM sqlite_schema WHERE type IN ('table', 'view') AND name = ${name}`
  }
  if (dialect.name === Dialects.MariaDB) {
    return sql`SELECT 1 AS found FROM information_schema.tables WHERE table_schema = DATABASE() AND table_name = ${name}`
  }
  return sql`SELECT 1 AS found FROM pg_catalog.pg_class WHERE oid = to_regclass(${dialect.quote(name)})`
}
