import type { Databases } from '../contests.ts'
import type { Stage } from './stage.ts'

// Loaded when asked for: the drivers are not there before the peers are installed.
const stages: Readonly<Record<Databases, (rows: number) => Promise<Stage>>> = {
  postgres: async (rows) => (await import('./postgres.ts')).openPostgres(rows),
  mariadb: async (rows) => (await import('./mariadb.ts')).openMariadb(rows),
  sqlite: async (rows) => (await import('./sqlite.ts')).openSqlite(rows),
}

/**
 * Opens a database and fills it.
 * @throws Error that says why there is none.
 */
export async function openStage(database: Databases, rows: number): Promise<Stage> {
  console.error(`${database} is filled with ${rows} rows`)
  return stages[database](rows)
}
