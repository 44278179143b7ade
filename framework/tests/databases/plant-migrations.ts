import { join } from 'node:path'
import type { TestContext } from 'node:test'
import { plantProject } from '../support/plant-project.ts'

/** A migration that makes a table, and drops it. */
export const table = (name: string): string => `
  export const up = (schema) => schema.createTable('${name}', (table) => { table.key() })
  export const down = (schema) => schema.dropTable('${name}')`

/** Three of them. */
export const three: Readonly<Record<string, string>> = {
  '20260101000000_one.ts': table('one'),
  '20260102000000_two.ts': table('two'),
  '20260103000000_three.ts': table('three'),
}

/** A folder with these migrations. */
export function plantMigrations(t: TestContext, files: Readonly<Record<string, string>>): string {
  const moved = Object.entries(files).map(([name, text]) => [`migrations/${name}`, text])
  return join(plantProject(t, Object.fromEntries(moved)), 'migrations')
}
