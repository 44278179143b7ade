import type { Surface } from '../database/surface.ts'

/** Whether the database has a table or view with this name. */
export async function hasTable(surface: Surface, name: string): Promise<boolean> {
  return (await surface.rows(surface.dialect.schema.findTable(name))).length > 0
}
