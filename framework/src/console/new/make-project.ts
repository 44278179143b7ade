import { accessSync, constants, cpSync, existsSync, mkdirSync } from 'node:fs'
import { mkdtempSync, readdirSync, rmSync, statSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { ConfigurationError } from '../../base/errors.ts'
import { nearestExisting, unwritableReason } from '../../base/files/explain-unwritable.ts'
import { packageFolder } from '../package-facts.ts'
import { assembleProject } from './assemble-project.ts'
import type { ProjectChoices } from './assemble-project.ts'
import { packFramework } from './pack-framework.ts'

/** What a new project is made with. */
export interface MakeProjectOptions extends ProjectChoices {
  readonly folder: string
  /** Writes into a folder that is not empty; files of the same name are replaced. */
  readonly force: boolean
}

/**
 * Makes a project in a folder. It is put together elsewhere first: when something fails, nothing
 * of it is left behind.
 * @throws ConfigurationError when the folder is in use or a step fails.
 */
export function makeProject({ folder, force, ...choices }: MakeProjectOptions): void {
  checkFolder(folder, force)
  const made = mkdtempSync(join(tmpdir(), 'framework-new-'))
  try {
    assembleProject(made, choices, packFramework(packageFolder, join(made, 'vendor')))
    moveIn(made, folder)
  } finally {
    rmSync(made, { recursive: true, force: true })
  }
}

function checkFolder(folder: string, force: boolean): void {
  if (!existsSync(folder)) return checkWritable(folder)
  if (!statSync(folder).isDirectory()) {
    throw new ConfigurationError('E_NEW', `${folder} is a file; choose another folder`)
  }
  if (force || readdirSync(folder).length === 0) return checkWritable(folder)
  throw new ConfigurationError(
    'E_NEW',
    `${folder} is not empty; choose another folder, or write into it with --force`,
  )
}

/** Before the work and not after it: packing takes a while. */
function checkWritable(folder: string): void {
  try {
    // With the dot a file is no folder.
    accessSync(`${nearestExisting(folder)}/.`, constants.W_OK | constants.X_OK)
  } catch (error) {
    throw unwritable(error, folder)
  }
}

function unwritable(error: unknown, folder: string): unknown {
  const reason = unwritableReason(error, folder)
  if (reason === null) return error
  const message = `${folder} cannot be made: ${reason}, or choose another folder`
  return new ConfigurationError('E_NEW', message, { cause: error })
}

function moveIn(made: string, folder: string): void {
  const firstMade = mkdirSync(folder, { recursive: true })
  const before = new Set(readdirSync(folder))
  // Somebody's own settings are worth more than ours, and cannot be had again from anywhere.
  if (before.has('.env')) rmSync(join(made, '.env'), { force: true })
  try {
    cpSync(made, folder, { recursive: true })
  } catch (error) {
    const added = readdirSync(folder).filter((entry) => !before.has(entry))
    for (const entry of added) rmSync(join(folder, entry), { recursive: true, force: true })
    if (firstMade !== undefined) rmSync(firstMade, { recursive: true, force: true })
    throw unwritable(error, folder)
  }
}
