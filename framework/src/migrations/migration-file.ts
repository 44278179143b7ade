import { createHash } from 'node:crypto'
import { readFile } from 'node:fs/promises'
import { basename, extname } from 'node:path'
import { toError } from '../base/to-error.ts'
import { MigrationError } from './migration-error.ts'
import { byName, listModules, loadModule } from './project-modules.ts'
import type { ModuleFile } from './project-modules.ts'
import type { Schema } from './schema.ts'

/** A migration in its folder, or one that is built in, whose path is empty. */
export interface MigrationFile extends ModuleFile {
  /** `ts:` or `js:` and a digest of the file, ignoring whitespace; `in:` if it is built in. */
  readonly checksum: string
  readonly builtIn?: BuiltInMigration
}

/**
 * A migration that comes with a package. It is never late or changed: a table that an earlier version, or a file
 * of the project with the same name, has made is taken as it is.
 */
export interface BuiltInMigration {
  /** As files are named: `20260101000001_create_users_table`. */
  readonly name: string
  /** False for one that the project does not need: it is not run, but known if it was. */
  readonly isNeeded: boolean
  /** The name of one that did the same before: where that was applied, or is a file, this is not run. */
  readonly replaces?: string
  readonly up: (schema: Schema) => unknown
  readonly down: (schema: Schema) => unknown
}

/** The exports of a migration. */
export interface Migration {
  readonly up: (schema: Schema) => unknown
  /** Null if it cannot be reverted. */
  readonly down: ((schema: Schema) => unknown) | null
  /** False to run without a transaction, on databases that allow it. */
  readonly transaction: boolean
}

/** The checksum of migrations that are built in. */
export const builtInChecksum = 'in:'

const validName = /^(?=.{1,200}$)\d{14}_[a-z0-9]+(?:[_-][a-z0-9]+)*$/

/** A line of new migrations that cannot be right as they are. */
export const unfilledLine =
  '// Describe the change here and remove this line: until then, migrate refuses to run this file.'

/**
 * Lists the migrations of a folder, and those that are built in, in the order they run, without loading them. A file
 * takes the place of a built-in one with its name.
 * @throws MigrationError when the folder does not exist, unless some are built in, or a module in it is not named as a
 * migration.
 */
export async function listMigrations(
  folder: string,
  builtIn: readonly BuiltInMigration[] = [],
): Promise<readonly MigrationFile[]> {
  const modules = await listModules(folder)
  if (modules === null && builtIn.length === 0) {
    throw new MigrationError(
      `there is no folder ${folder}; \`framework make:migration <name>\` creates it with a first migration`,
    )
  }
  const files = await Promise.all((modules ?? []).map(withChecksum))
  const names = new Set(files.map(({ name }) => name))
  const others = builtIn
    .filter(({ name, replaces = name }) => !names.has(name) && !names.has(replaces))
    .map((one) => ({ name: one.name, path: '', checksum: builtInChecksum, builtIn: one }))
  return [...files, ...others].toSorted(byName)
}

/**
 * Loads a migration.
 * @throws MigrationError when it cannot be loaded or lacks its exports.
 */
export async function loadMigration(file: MigrationFile): Promise<Migration> {
  if (file.builtIn !== undefined) return { ...file.builtIn, transaction: true }
  const { up, down, transaction = true } = await exportsOf(file)
  if (isChange(up) && (down === undefined || isChange(down)) && typeof transaction === 'boolean') {
    return { up, down: down ?? null, transaction }
  }
  throw new MigrationError(
    `${file.name} must export a function up(schema) and, if it can be reverted, down(schema); transaction, if given, must be true or false`,
  )
}

/**
 * Refuses a migration that is still as it was created, or does nothing: once it is recorded as applied,
 * what is filled in later would never run.
 * @throws MigrationError
 */
export function refuseUnfilled({ name, path }: MigrationFile, { up }: Migration): void {
  const source = String(up)
  if (source.includes(unfilledLine)) {
    throw new MigrationError(
      `${name} is not filled in yet: write its up(schema) and remove the line that says so, in ${path}`,
    )
  }
  if (!isEmpty(source)) return
  throw new MigrationError(
    `${name} has an empty up(schema), so it would be recorded as applied without a change: fill it in, or delete ${path}`,
  )
}

// `up(schema) {}`, `async function up() {}` and `() => {}`, whatever comments they have.
function isEmpty(source: string): boolean {
  const code = source.replaceAll(/\/\*[\s\S]*?\*\/|\/\/.*$/gm, '')
  return /^[^{}]*\{\s*\}\s*$/.test(code)
}

async function withChecksum(file: ModuleFile): Promise<MigrationFile> {
  if (!validName.test(file.name)) throw misnamed(file.path)
  const text = await readFile(file.path, 'utf8')
  const digest = createHash('sha256').update(text.replaceAll(/\s+/g, ' ').trim()).digest('hex')
  return { ...file, checksum: `${extname(file.path).slice(1)}:${digest}` }
}

async function exportsOf(file: MigrationFile): Promise<Readonly<Record<string, unknown>>> {
  try {
    return await loadModule(file)
  } catch (thrown) {
    const error = toError(thrown)
    throw new MigrationError(`${file.name} cannot be loaded: ${error.message}`, { cause: error })
  }
}

function isChange(value: unknown): value is (schema: Schema) => unknown {
  return typeof value === 'function'
}

function misnamed(path: string): MigrationError {
  return new MigrationError(
    `${basename(path)} is not named as a migration; use <14 digits of time>_<name>, such as 20260131120000_create_posts_table.ts, and keep other modules in another folder`,
  )
}
