import { existsSync, readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { drivers } from '../../database/drivers.ts'
import type { Driver } from '../../database/drivers.ts'

/** A database for a new project. */
export type DatabaseChoice = Pick<Driver, 'packages' | 'projectUrl'>

/** The values of `--database`; the first one is the default. */
export const databaseChoices: Readonly<Record<string, DatabaseChoice>> = drivers

/** Writes the URL of the chosen database to `.env`, and replaces the default one in `.env.example`. */
export function chooseDatabase(
  folder: string,
  { projectUrl }: DatabaseChoice,
  project: string,
): void {
  if (projectUrl === null) return
  const setting = `DATABASE_URL=${projectUrl(project)}`
  // It will contain a password.
  writeFileSync(join(folder, '.env'), `${setting}\n`, { mode: 0o600 })
  const example = join(folder, '.env.example')
  if (!existsSync(example)) return
  const text = readFileSync(example, 'utf8')
  writeFileSync(
    example,
    text.replace(/^# DATABASE_URL=.*$/m, () => setting),
  )
}
