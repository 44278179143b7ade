import { readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { packageFolder } from '../package-folder.ts'
import { copyScaffold } from './copy-scaffold.ts'
import { chooseDatabase } from './database-choice.ts'
import type { DatabaseChoice } from './database-choice.ts'
import { leaveOutParts } from './leave-out-parts.ts'
import { writeMinimalProject } from './minimal-project.ts'
import { unneededPackages, withDependents } from './parts.ts'
import { projectManifest } from './project-manifest.ts'
import { projectTsconfig } from './project-tsconfig.ts'

/** The choices for a new project. */
export interface ProjectChoices {
  readonly name: string
  readonly database: DatabaseChoice
  /** Names of the parts that are left out. */
  readonly without: readonly string[]
  /** One route, one view and one test instead of a copy of the demo. */
  readonly minimal: boolean
}

/**
 * Writes the files of a new project into a folder, except the packed framework: `tarball` is its file
 * name in `vendor/`.
 * @throws ConfigurationError if there is no scaffold, or its part markers are invalid.
 */
export function assembleProject(folder: string, choices: ProjectChoices, tarball: string): void {
  const { name, database } = choices
  const without = withDependents(choices.without)
  writeSources(folder, { ...choices, without })
  chooseDatabase(folder, database, name)
  const manifest = join(folder, 'package.json')
  const unneeded = unneededPackages(without)
  const options = { name, tarball, packages: database.packages, unneeded }
  writeFileSync(manifest, projectManifest(readFileSync(manifest, 'utf8'), options))
  writeFileSync(join(folder, 'tsconfig.json'), projectTsconfig())
}

function writeSources(folder: string, { name, minimal, without }: ProjectChoices): void {
  if (minimal) {
    writeMinimalProject(folder, name)
    return
  }
  copyScaffold(packageFolder, folder, name)
  leaveOutParts(folder, without)
}
