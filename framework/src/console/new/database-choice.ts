import { existsSync, readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'

/** A database that a new project can be made for. */
export interface DatabaseChoice {
  /** Packages the project needs for it, with their versions. */
  readonly packages: Readonly<Record<string, string>>
  /** Where it is expected for a project of that name; null is the file that needs no setting. */
  readonly url: ((project: string) => string) | null
}

/** The databases that `--database` takes; the first one is the default. */
export const databaseChoices: Readonly<Record<string, DatabaseChoice>> = {
  sqlite: { packages: {}, url: null },
  postgres: {
    packages: { pg: '8.23.1' },
    url: (project) => `postgres://postgres:password@127.0.0.1:5432/${project}`,
  },
  mariadb: {
    packages: { mariadb: '3.5.4' },
    url: (project) => `mariadb://root:password@127.0.0.1:3306/${project}`,
  },
}

/** Writes the URL of the chosen database into `.env`, and in the place of the default one into `.env.example`. */
export function chooseDatabase(folder: string, { url }: DatabaseChoice, project: string): void {
  if (url === null) return
  const setting = `DATABASE_URL=${url(project)}`
  // It will hold a password.
  writeFileSync(join(folder, '.env'), `${setting}\n`, { mode: 0o600 })
  const example = join(folder, '.env.example')
  if (!existsSync(example)) return
  const text = readFileSync(example, 'utf8')
  writeFileSync(
    example,
    text.replace(/^# DATABASE_URL=.*$/m, () => setting),
  )
}
