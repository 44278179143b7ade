import { existsSync, mkdirSync, writeFileSync } from 'node:fs'
import { join, relative } from 'node:path'
import { InvalidArgumentException } from '../base/errors.ts'
import { ExitStatus } from '../base/terminal/terminal.ts'
import type { Terminal } from '../base/terminal/terminal.ts'
import { snakeCase } from '../database/sql/plan/column-reference.ts'
import { listModules } from './project-modules.ts'
import { unfilledLine } from './migration-file.ts'

/** Writes a migration to fill in for the project in `root`, dated after all existing ones, and prints its path. */
export async function makeMigration(
  given: string,
  root: string,
  terminal: Terminal,
  clock: () => Date = () => new Date(),
): Promise<ExitStatus> {
  const folder = join(root, 'migrations')
  const name = await newMigration(given, root, clock())
  const typed = existsSync(join(root, 'project.ts')) || !existsSync(join(root, 'project.js'))
  const file = join(folder, `${name}.${typed ? 'ts' : 'js'}`)
  mkdirSync(folder, { recursive: true })
  writeFileSync(file, migrationTemplate(name.slice(15), typed), { flag: 'wx' })
  terminal.out(`${relative(process.cwd(), file)}\n`)
  return ExitStatus.Ok
}

/**
 * The name of the file of a new migration, without its ending: `20260131123045_create_posts_table`.
 * @throws InvalidArgumentException for a name that is taken, or is none.
 */
export async function newMigration(given: string, root: string, now: Date): Promise<string> {
  const name = migrationName(given)
  const modules = (await listModules(join(root, 'migrations'))) ?? []
  const existing = modules.map((module) => module.name)
  const duplicate = existing.find((other) => other.slice(15) === name)
  if (duplicate !== undefined) {
    throw new InvalidArgumentException(
      'E_MIGRATION',
      `there is already a migration of that name, ${duplicate}; choose another, such as ${name}_again`,
    )
  }
  return `${nextTimestamp(existing, now)}_${name}`
}

function migrationName(given: string): string {
  const name = plainName(given)
  if (name !== null && name.length <= 100) return name
  throw new InvalidArgumentException(
    'E_MIGRATION',
    `the name of a migration must be at most 100 letters, digits and _, such as create_posts_table, got ${JSON.stringify(given)}`,
  )
}

/** `note_items` for NoteItems, note-items and "Note items"; null for what is no name in any case. */
export function plainName(given: string): string | null {
  const name = snakeCase(given.trim()).replaceAll(/[\s_-]+/g, '_')
  return /^[a-z0-9]+(_[a-z0-9]+)*$/.test(name) ? name : null
}

/** A timestamp later than that of every existing migration, even of one from a clock that was ahead. */
function nextTimestamp(existing: readonly string[], now: Date): string {
  const digits = now.toISOString().replaceAll(/\D/g, '').slice(0, 14)
  const newest = existing.reduce((latest, name) => {
    const time = name.slice(0, 14)
    return /^\d{14}$/.test(time) && time > latest ? time : latest
  }, '')
  return digits > newest ? digits : String(BigInt(newest) + 1n)
}

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
