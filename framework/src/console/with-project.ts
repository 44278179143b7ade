import { existsSync } from 'node:fs'
import { enableCompileCache } from 'node:module'
import { join, resolve } from 'node:path'
import { createPrivateFolder } from '../base/files/private-files.ts'
import { loggedRepeats, logVariables } from '../logs/logs-settings.ts'
import type { DatabaseCommandContext } from '../migrations/migration-commands.ts'
import type { BuiltInMigration } from '../migrations/migration-file.ts'
import type { AssembledProject } from '../project/start/assemble-project.ts'
import type { OpenProject, OpenProjectOptions } from '../project/start/open-project.ts'
import { loadEnvironment } from '../settings/env-source.ts'
import type { LoadedEnvironment } from '../settings/env-source.ts'
import { Environments } from '../settings/environments.ts'
import { given, readScopes } from '../settings/scope.ts'
import { recordCommand } from './command-activity.ts'

/** The project of a command. */
export interface ProjectFlags {
  readonly project: string
  readonly environment?: Environments
}

// Everything of a project is imported after enterEnvironment(): its modules may read the environment.

/** Runs `work` with the services of a project, but without a server, then closes them. */
export async function withServices<T>(
  flags: ProjectFlags,
  options: Pick<OpenProjectOptions, 'channel' | 'output'>,
  work: (project: OpenProject) => Promise<T>,
): Promise<T> {
  const { environment } = enterEnvironment(flags.project, flags.environment)
  const { openProject } = await import('../project/start/open-project.ts')
  const project = await openProject({ root: flags.project, environment, ...options })
  try {
    return await work(project)
  } finally {
    await project.close()
  }
}

/** Runs `work` with the server of a project, which does not listen, then closes it. */
export async function withServer<T>(
  flags: ProjectFlags,
  work: (project: AssembledProject) => T | Promise<T>,
): Promise<T> {
  const { environment } = enterEnvironment(flags.project, flags.environment)
  const { assembleProject } = await import('../project/start/assemble-project.ts')
  const project = await assembleProject({ root: flags.project, environment, workers: 1 })
  try {
    return await work(project)
  } finally {
    await project.server.close()
  }
}

/** What `withDatabase` lists before it connects. */
export interface DatabaseFiles {
  /** Folder of the files in the project. */
  readonly folder: string
  readonly list: (folder: string, builtIn: readonly BuiltInMigration[]) => Promise<unknown>
}

/**
 * Connects to the `DATABASE_URL` of a project, runs `work` and closes the database. Statements have no
 * timeout: creating an index on a large table takes longer than any request should.
 * @throws ConfigurationError if the URL is invalid; its message never contains a password.
 */
export async function withDatabase<T>(
  flags: ProjectFlags,
  { folder: name, list }: DatabaseFiles,
  work: (context: DatabaseCommandContext) => Promise<T>,
): Promise<T> {
  const root = resolve(flags.project)
  const folder = join(root, name)
  const source = enterEnvironment(root, flags.environment)
  // Before connecting: in the wrong folder, connecting would create a new SQLite file.
  const builtIn = await migrationsOfModules(root)
  await list(folder, builtIn)
  const { databaseScope, databaseUrlIn } = await import('../database/database-settings.ts')
  const { connect } = await import('../database/connect.ts')
  const { url } = readScopes({ database: databaseScope }, source).database
  const database = await connect(withoutTimeout(databaseUrlIn(root, url)))
  try {
    return await work({ database, folder, builtIn, environment: source.environment })
  } finally {
    await database.close()
  }
}

/** Those that the modules of a project bring; a folder need not have a project. */
async function migrationsOfModules(root: string): Promise<readonly BuiltInMigration[]> {
  const { hasProject, loadProject } = await import('../project/start/load-project.ts')
  return hasProject(root) ? (await loadProject(root)).modules.migrations() : []
}

function withoutTimeout(url: string): string {
  const [location = '', ...options] = url.split('?')
  const given = new URLSearchParams(options.join('?'))
  given.set('statement_timeout', '0')
  return `${location}?${given.toString()}`
}

/**
 * Loads the settings of a project and sets the environment of this process and its children. Call it
 * before loading any module of the project, which may read the environment.
 */
export function enterEnvironment(
  root: string,
  chosen: Environments | undefined,
): LoadedEnvironment {
  const source = loadEnvironment({ root, environment: chosen })
  process.env['FRAMEWORK_ENVIRONMENT'] = source.environment
  // Stripping types is most of the start-up time. The cache is in the project, not in a shared folder
  // where others could plant code, and only for development, where restarts are frequent.
  const development = source.environment === Environments.Development
  if (development && existsSync(join(root, 'project.ts'))) {
    const folder = join(root, 'storage', 'cache', 'compiled')
    createPrivateFolder(folder)
    enableCompileCache(folder)
    recordCommand(root, repeatsIn(source))
  }
  return source
}

// Invalid text is refused later, with all other settings.
function repeatsIn(source: LoadedEnvironment): number {
  const { nPlusOne } = logVariables
  const set = given(nPlusOne, source)
  const repeats = set === null ? null : (nPlusOne.parse(set.text) ?? null)
  return loggedRepeats(repeats, source.environment)
}
