import type { ObjectRow } from '../database/object-rows.ts'
import type { Surface } from '../database/surface.ts'
import { Dialects } from '../sql/dialects/dialect.ts'
import { sql } from '../sql/plan/statement.ts'

/**
 * The statements that drop a column together with every index it is part of, which PostgreSQL does
 * by itself. MariaDB needs its foreign keys named too.
 */
export async function dropColumnStatements(
  surface: Surface,
  table: string,
  column: string,
): Promise<readonly string[]> {
  const { quote, name } = surface.dialect
  const drop = `DROP COLUMN ${quote(column)}`
  if (name === Dialects.SQLite) {
    const indexes = await sqliteIndexes(surface, table, column)
    return [...indexes.map((index) => `DROP INDEX ${quote(index)}`), alter(drop)]
  }
  if (name === Dialects.MariaDB) {
    const keys = await mariadbForeignKeys(surface, table, column)
    const indexes = await mariadbIndexes(surface, table, column)
    const parts = [
      ...keys.map((key) => `DROP FOREIGN KEY ${quote(key)}`),
      ...indexes.map((index) => `DROP INDEX ${quote(index)}`),
      drop,
    ]
    return [alter(parts.join(', '))]
  }
  return [alter(drop)]

  function alter(change: string): string {
    return `ALTER TABLE ${quote(table)} ${change}`
  }
}

async function sqliteIndexes(surface: Surface, table: string, column: string): Promise<string[]> {
  return names(
    await surface.rows(
      sql`SELECT list.name AS name FROM pragma_index_list(${table}) AS list
        JOIN pragma_index_info(list.name) AS info WHERE list.origin = 'c' AND info.name = ${column}`,
    ),
  )
}

async function mariadbIndexes(surface: Surface, table: string, column: string): Promise<string[]> {
  return names(
    await surface.rows(
      sql`SELECT DISTINCT index_name AS name FROM information_schema.statistics
        WHERE table_schema = DATABASE() AND table_name = ${table} AND column_name = ${column} AND index_name <> 'PRIMARY'`,
    ),
  )
}

async function mariadbForeignKeys(
  surface: Surface,
  table: string,
  column: string,
): Promise<string[]> {
  return names(
    await surface.rows(
      sql`SELECT DISTINCT constraint_name AS name FROM information_schema.key_column_usage
        WHERE table_schema = DATABASE() AND table_name = ${table} AND column_name = ${column} AND referenced_table_name IS NOT NULL`,
    ),
  )
}

function names(rows: readonly ObjectRow[]): string[] {
  return rows.map(({ name }) => String(name))
}
