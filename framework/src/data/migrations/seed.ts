import { basename } from 'node:path'
import { toError } from '../../base/throwables/to-error.ts'
import { FrameworkError } from '../../base/errors.ts'
import type { Database, Surface } from '../database/surface.ts'
import { checkedTimeout, inTurn } from './in-turn.ts'
import { listModules, loadModule } from './project-modules.ts'
import type { ModuleFile } from './project-modules.ts'

/** What a seed learns beside its database. */
export interface SeedSurroundings {
  /** Name of the environment: rows for developers have no place in production. */
  readonly environment: string
}

/** How seeds are run. */
export interface SeedOptions extends Partial<SeedSurroundings> {
  /** Seconds to wait for another process that migrates or seeds, 60 unless given. */
  readonly timeout?: number
}

/** Puts rows into a database; it may be run again, and then adds nothing. */
export type Seed = (database: Surface, surroundings: SeedSurroundings) => unknown

/**
 * Runs the seeds of a folder in the order of their names, each in a transaction of its own, and gives
 * the names. Only one process seeds at a time, so that a seed can look what is there first. Where
 * nobody says which environment it is, it is production.
 * @throws FrameworkError that names the seed which failed; those before it stay.
 */
export async function seed(
  database: Database,
  folder: string,
  { timeout = 60, environment = 'production' }: SeedOptions = {},
): Promise<readonly string[]> {
  const files = await listSeeds(folder)
  await inTurn(database, checkedTimeout(timeout), (surface) => sow(surface, files, { environment }))
  return files.map(({ name }) => name)
}

/**
 * The seeds of a folder, in the order they are run.
 * @throws FrameworkError when there is no such folder.
 */
export async function listSeeds(folder: string): Promise<readonly ModuleFile[]> {
  const files = await listModules(folder)
  if (files !== null) return files
  throw new FrameworkError('E_SEED', `there is no folder ${folder}; seeds are its modules`)
}

async function sow(
  surface: Surface,
  files: readonly ModuleFile[],
  surroundings: SeedSurroundings,
): Promise<void> {
  for (const file of files) {
    try {
      const run = await loadSeed(file)
      await surface.transaction((transaction) => run(transaction, surroundings))
    } catch (thrown) {
      if (thrown instanceof FrameworkError && thrown.code === 'E_SEED') throw thrown
      const error = toError(thrown)
      throw new FrameworkError(
        'E_SEED',
        `seed ${file.name} failed: ${error.message}; nothing of it is left, so mend it and run \`npx framework seed\``,
        { cause: error },
      )
    }
  }
}

async function loadSeed(file: ModuleFile): Promise<Seed> {
  const { seed: run } = await loadModule(file)
  if (isSeed(run)) return run
  throw new FrameworkError('E_SEED', `${basename(file.path)} must export a function seed(database)`)
}

function isSeed(value: unknown): value is Seed {
  return typeof value === 'function'
}
