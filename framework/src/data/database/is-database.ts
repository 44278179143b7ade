import type { Database, Surface } from './surface.ts'

/** Whether a surface is a whole database and no transaction: only a database can be asked for its health. */
export function isDatabase(surface: Surface): surface is Database {
  return 'ping' in surface
}
