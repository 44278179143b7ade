import { cpSync, existsSync, mkdirSync, mkdtempSync, readdirSync, readFileSync } from 'node:fs'
import { rmSync, statSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { ConfigurationError } from '../../base/errors.ts'
import { packageFolder } from '../package-facts.ts'
import { copyScaffold } from './copy-scaffold.ts'
import { packFramework } from './pack-framework.ts'
import { projectManifest } from './project-manifest.ts'
import { projectTsconfig } from './project-tsconfig.ts'

/** What a new project is made with. */
export interface MakeProjectOptions {
  readonly folder: string
  readonly name: string
  /** Writes into a folder that is not empty; files of the same name are replaced. */
  readonly force: boolean
}

/**
 * Makes a project in a folder. It is put together elsewhere first: when something fails, nothing
 * of it is left behind.
 * @throws ConfigurationError when the folder is in use or a step fails.
 */
export function makeProject({ folder, name, force }: MakeProjectOptions): void {
  checkFolder(folder, force)
  const made = mkdtempSync(join(tmpdir(), 'framework-new-'))
  try {
    copyScaffold(packageFolder, made, name)
    const tarball = packFramework(packageFolder, join(made, 'vendor'))
    const manifest = join(made, 'package.json')
    writeFileSync(manifest, projectManifest(readFileSync(manifest, 'utf8'), name, tarball))
    writeFileSync(join(made, 'tsconfig.json'), projectTsconfig())
    moveIn(made, folder)
  } finally {
    rmSync(made, { recursive: true, force: true })
  }
}

function checkFolder(folder: string, force: boolean): void {
  if (!existsSync(folder)) return
  if (!statSync(folder).isDirectory()) {
    throw new ConfigurationError('E_NEW', `${folder} is a file; choose another folder`)
  }
  if (force || readdirSync(folder).length === 0) return
  throw new ConfigurationError(
    'E_NEW',
    `${folder} is not empty; choose another folder, or write into it with --force`,
  )
}

function moveIn(made: string, folder: string): void {
  const firstMade = mkdirSync(folder, { recursive: true })
  const before = new Set(readdirSync(folder))
  try {
    cpSync(made, folder, { recursive: true })
  } catch (error) {
    const added = readdirSync(folder).filter((entry) => !before.has(entry))
    for (const entry of added) rmSync(join(folder, entry), { recursive: true, force: true })
    if (firstMade !== undefined) rmSync(firstMade, { recursive: true, force: true })
    throw error
  }
}
