import { existsSync, mkdirSync, writeFileSync } from 'node:fs'
import { join, relative, resolve } from 'node:path'
import { InvalidArgumentException } from '../../base/errors.ts'
import { listModules } from '../../migrations/project-modules.ts'
import { snakeCase } from '../../database/sql/rows/snake-case.ts'
import { ExitStatus } from '../../base/terminal/exit-status.ts'
import { migrationTemplate } from '../new/migration-template.ts'
import type { Terminal } from '../../base/terminal/terminal.ts'

/** Options of `framework make:migration`. */
export interface MakeMigrationFlags {
  readonly project: string
}

/** Writes a migration to fill in, dated after all existing ones, and prints its path. */
export async function makeMigration(
  given: string,
  flags: MakeMigrationFlags,
  terminal: Terminal,
  clock: () => Date = () => new Date(),
): Promise<ExitStatus> {
  const root = resolve(flags.project)
  const folder = join(root, 'migrations')
  const name = migrationName(given)
  const existing = ((await listModules(folder)) ?? []).map((module) => module.name)
  const duplicate = existing.find((other) => other.slice(15) === name)
  if (duplicate !== undefined) {
    throw new InvalidArgumentException(
      'E_MIGRATION',
      `there is already a migration of that name, ${duplicate}; choose another, such as ${name}_again`,
    )
  }
  const typed = existsSync(join(root, 'project.ts')) || !existsSync(join(root, 'project.js'))
  const file = join(folder, `${nextTimestamp(existing, clock())}_${name}.${typed ? 'ts' : 'js'}`)
  mkdirSync(folder, { recursive: true })
  writeFileSync(file, migrationTemplate(name, typed), { flag: 'wx' })
  terminal.out(`${relative(process.cwd(), file)}\n`)
  return ExitStatus.Ok
}

function migrationName(given: string): string {
  const name = snakeCase(given.trim()).replaceAll(/[\s_-]+/g, '_')
  if (/^[a-z0-9]+(_[a-z0-9]+)*$/.test(name) && name.length <= 100) return name
  throw new InvalidArgumentException(
    'E_MIGRATION',
    `the name of a migration must be at most 100 letters, digits and _, such as create_posts_table, got ${JSON.stringify(given)}`,
  )
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
