import { unfilledLine } from '../../migrations/migration-file.ts'

/**
 * The source of a new migration. The body follows from names such as `create_posts_table`,
 * `add_slug_to_posts` and `drop_posts_table`; others are empty. One that cannot be complete has a line
 * that keeps it from being run.
 */
export function migrationTemplate(name: string, typed: boolean): string {
  const { up, down } = bodies(name)
  const header = typed ? `import type { Schema } from 'framework/database'\n\n` : ''
  return `${header}${action('up', up, typed)}\n${action('down', down, typed)}`
}

interface Bodies {
  readonly up: readonly string[]
  readonly down: readonly string[]
}

function bodies(name: string): Bodies {
  const [, created] = /^create_(.+?)(?:_table)?$/.exec(name) ?? []
  if (created !== undefined) {
    return { up: [unfilledLine, ...creation(created)], down: [dropTable(created)] }
  }
  const [, dropped] = /^drop_(.+)_table$/.exec(name) ?? []
  if (dropped !== undefined) return { up: [dropTable(dropped)], down: creation(dropped) }
  const [, column, table] = /^add_(.+)_to_(.+?)(?:_table)?$/.exec(name) ?? []
  if (column === undefined || table === undefined) return { up: [unfilledLine], down: [] }
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
