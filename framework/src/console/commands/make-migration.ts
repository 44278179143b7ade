import { existsSync, mkdirSync, writeFileSync } from 'node:fs'
import { join, relative, resolve } from 'node:path'
import { InvalidArgumentException } from '../../base/errors.ts'
import { listModules } from '../../data/migrations/project-modules.ts'
import { snakeCase } from '../../data/repository/entity/snake-case.ts'
import { ExitStatus } from '../exit-status.ts'
import { migrationTemplate } from '../new/migration-template.ts'
import type { Terminal } from '../terminal.ts'

/** What `framework make:migration` takes. */
export interface MakeMigrationFlags {
  readonly project: string
}

/** Writes a migration to fill in, behind all that are there, and prints its path. */
export async function makeMigration(
  given: string,
  flags: MakeMigrationFlags,
  terminal: Terminal,
  clock: () => Date = () => new Date(),
): Promise<ExitStatus> {
  const root = resolve(flags.project)
  const folder = join(root, 'migrations')
  const name = migrationName(given)
  const present = ((await listModules(folder)) ?? []).map((module) => module.name)
  const twin = present.find((other) => other.slice(15) === name)
  if (twin !== undefined) {
    throw new InvalidArgumentException(
      'E_MIGRATION',
      `there is a migration of that name, ${twin}; choose another, such as ${name}_again`,
    )
  }
  const typed = existsSync(join(root, 'project.ts')) || !existsSync(join(root, 'project.js'))
  const file = join(folder, `${nextTime(present, clock())}_${name}.${typed ? 'ts' : 'js'}`)
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
    `a migration is named with at most 100 letters, digits and _, such as create_posts_table, got ${JSON.stringify(given)}`,
  )
}

/** Digits of the time, later than every migration that is there, whatever the clock of its author said. */
function nextTime(present: readonly string[], now: Date): string {
  const digits = now.toISOString().replaceAll(/\D/g, '').slice(0, 14)
  const newest = present.reduce((latest, name) => {
    const time = name.slice(0, 14)
    return /^\d{14}$/.test(time) && time > latest ? time : latest
  }, '')
  return digits > newest ? digits : String(BigInt(newest) + 1n)
}
