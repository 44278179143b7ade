/**
 * The text of a new migration. Its name says what it is about: `create_posts_table`,
 * `add_slug_to_posts`, `drop_posts_table`; anything else gets a statement to replace.
 */
export function migrationTemplate(name: string, typed: boolean): string {
  const { up, down } = bodies(name)
  const imports = [
    ...(up.includes(own) ? [`import { sql } from 'framework/database'`] : []),
    ...(typed ? [`import type { Schema } from 'framework/database'`] : []),
  ]
  const header = imports.length === 0 ? '' : `${imports.join('\n')}\n\n`
  return `${header}${action('up', up, typed)}\n${action('down', down, typed)}`
}

const own = 'await schema.run(sql`SELECT 1`)'

interface Bodies {
  readonly up: readonly string[]
  readonly down: readonly string[]
}

function bodies(name: string): Bodies {
  const [, created] = /^create_(.+?)(?:_table)?$/.exec(name) ?? []
  if (created !== undefined) return { up: creation(created), down: [dropTable(created)] }
  const [, dropped] = /^drop_(.+)_table$/.exec(name) ?? []
  if (dropped !== undefined) return { up: [dropTable(dropped)], down: creation(dropped) }
  const [, column, table] = /^add_(.+)_to_(.+?)(?:_table)?$/.exec(name) ?? []
  if (column === undefined || table === undefined) return { up: [own], down: [own] }
  return {
    up: [`await schema.addColumn('${table}', (table) => table.text('${column}').nullable())`],
    down: [`await schema.dropColumn('${table}', '${column}')`],
  }
}

function creation(table: string): readonly string[] {
  return [
    `await schema.createTable('${table}', (table) => {`,
    `  table.key('id')`,
    `  table.timestamp('created_at').defaultNow()`,
    `})`,
  ]
}

function dropTable(table: string): string {
  return `await schema.dropTable('${table}')`
}

function action(name: 'up' | 'down', lines: readonly string[], typed: boolean): string {
  const head = typed
    ? `export async function ${name}(schema: Schema): Promise<void> {`
    : `export async function ${name}(schema) {`
  return [head, ...lines.map((line) => `  ${line}`), '}', ''].join('\n')
}
