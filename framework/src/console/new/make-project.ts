import { accessSync, constants, cpSync, existsSync, mkdirSync } from 'node:fs'
import { mkdtempSync, readdirSync, rmSync, statSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { ConfigurationError } from '../../base/errors.ts'
import { nearestExisting, unwritableReason } from '../../base/files/explain-unwritable.ts'
import { packageFolder } from '../package-folder.ts'
import { assembleProject } from './assemble-project.ts'
import type { ProjectChoices } from './assemble-project.ts'
import { packFramework } from './pack-framework.ts'

/** Options of `makeProject`. */
export interface MakeProjectOptions extends ProjectChoices {
  readonly folder: string
  /** Allows a folder that is not empty; existing files are replaced. */
  readonly force: boolean
}

/**
 * Creates a project in a folder. It is assembled in a temporary folder first, so a failure leaves
 * nothing behind.
 * @throws ConfigurationError if the folder is not empty or a step fails.
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

/** Checked first, because packing takes a while. */
function checkWritable(folder: string): void {
  try {
    // The "/." makes it fail for a file.
    accessSync(`${nearestExisting(folder)}/.`, constants.W_OK | constants.X_OK)
  } catch (error) {
    throw unwritable(error, folder)
  }
}

function unwritable(error: unknown, folder: string): unknown {
  const reason = unwritableReason(error, folder)
  if (reason === null) return error
  const message = `${folder} cannot be created: ${reason}, or choose another folder`
  return new ConfigurationError('E_NEW', message, { cause: error })
}

function moveIn(made: string, folder: string): void {
  const firstCreated = mkdirSync(folder, { recursive: true })
  const before = new Set(readdirSync(folder))
  // Never overwrite the user's settings: they cannot be restored.
  if (before.has('.env')) rmSync(join(made, '.env'), { force: true })
  try {
    cpSync(made, folder, { recursive: true })
  } catch (error) {
    const added = readdirSync(folder).filter((entry) => !before.has(entry))
    for (const entry of added) rmSync(join(folder, entry), { recursive: true, force: true })
    if (firstCreated !== undefined) rmSync(firstCreated, { recursive: true, force: true })
    throw unwritable(error, folder)
  }
}
