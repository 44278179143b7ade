import { basename } from 'node:path'
import { toError } from '../base/to-error.ts'
import { FrameworkError } from '../base/errors.ts'
import type { Database, Surface } from '../database/surface.ts'
import { checkedTimeout, withMigrationLock } from './migration-lock.ts'
import { listModules, loadModule } from './project-modules.ts'
import type { ModuleFile } from './project-modules.ts'

/** The second argument of a seed. */
export interface SeedContext {
  /** Name of the environment: development data does not belong in production. */
  readonly environment: string
}

/** Options of `seed`. */
export interface SeedOptions extends Partial<SeedContext> {
  /** Seconds to wait for another process that migrates or seeds. @default 60 */
  readonly timeout?: number
  /** Called for each seed that is not for this environment, before the next one runs. */
  readonly onSkip?: (name: string, reason: string) => void
}

/** Adds rows to a database. It must be idempotent. */
export type Seed = (database: Surface, context: SeedContext) => unknown

/**
 * Runs the seeds of a folder in the order of their names, each in its own transaction, and resolves
 * with the names of those that ran: one that exports `environments` runs in these only. Only one process
 * seeds at a time, so a seed can safely check for existing rows. The default environment is production.
 * @throws FrameworkError that names the failed seed; those before it stay.
 */
export async function seed(
  database: Database,
  folder: string,
  { timeout = 60, environment = 'production', onSkip = () => {} }: SeedOptions = {},
): Promise<readonly string[]> {
  const files = await listSeeds(folder)
  return withMigrationLock(database, checkedTimeout(timeout), (surface) =>
    runSeeds(surface, files, { environment, onSkip }),
  )
}

/**
 * The seeds of a folder in the order they run.
 * @throws FrameworkError when the folder does not exist.
 */
export async function listSeeds(folder: string): Promise<readonly ModuleFile[]> {
  const files = await listModules(folder)
  if (files !== null) return files
  throw new FrameworkError(
    'E_SEED',
    `there is no folder ${folder}; create it and put the seeds into it`,
  )
}

async function runSeeds(
  surface: Surface,
  files: readonly ModuleFile[],
  { environment, onSkip }: Required<Omit<SeedOptions, 'timeout'>>,
): Promise<readonly string[]> {
  const names: string[] = []
  for (const file of files) {
    try {
      const { run, environments } = await loadSeed(file)
      if (environments !== null && !environments.includes(environment)) {
        onSkip(file.name, `only for ${environments.join(' and ')}, and this is ${environment}`)
        continue
      }
      await surface.transaction((transaction) => run(transaction, { environment }))
      names.push(file.name)
    } catch (thrown) {
      if (thrown instanceof FrameworkError && thrown.code === 'E_SEED') throw thrown
      const error = toError(thrown)
      throw new FrameworkError(
        'E_SEED',
        `seed ${file.name} failed: ${error.message}; it was rolled back, so fix it and run \`npx framework seed\` again`,
        { cause: error },
      )
    }
  }
  return names
}

interface LoadedSeed {
  readonly run: Seed
  /** Null for a seed of every environment. */
  readonly environments: readonly string[] | null
}

async function loadSeed(file: ModuleFile): Promise<LoadedSeed> {
  const { seed: run, environments = null } = await loadModule(file)
  if (!isSeed(run)) throw misshapen(file, 'a function seed(database)')
  if (environments === null || areNames(environments)) return { run, environments }
  throw misshapen(file, "a list of names as environments, such as ['development', 'test']")
}

function misshapen({ path }: ModuleFile, what: string): FrameworkError {
  return new FrameworkError('E_SEED', `${basename(path)} must export ${what}`)
}

function areNames(value: unknown): value is readonly string[] {
  return Array.isArray(value) && value.every((name) => typeof name === 'string')
}

function isSeed(value: unknown): value is Seed {
  return typeof value === 'function'
}
