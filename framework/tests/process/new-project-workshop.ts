import assert from 'node:assert/strict'
import { execFileSync } from 'node:child_process'
import {
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  realpathSync,
  rmSync,
  symlinkSync,
} from 'node:fs'
import { tmpdir } from 'node:os'
import { basename, join } from 'node:path'
import { assembleProject } from '../../src/console/new/make-project.ts'
import type { ProjectChoices } from '../../src/console/new/make-project.ts'
import { databaseChoices, starters } from '../../src/console/new/choices.ts'
import { packedFramework } from '../package/pack-framework.ts'

const repository = join(import.meta.dirname, '..', '..', '..')
const installed = join(repository, 'node_modules')
const sources = ['--conditions=source', join(repository, 'framework', 'bin', 'framework.js')]

/** The path of the compiler, to be run by Node. */
export const tsc: string = join(installed, 'typescript', 'bin', 'tsc')

/**
 * Does what `npm install` does in a folder, from local files: unpacks the tarball and links its
 * dependencies. Returns the command of the package.
 */
export function install(folder: string, tarball: string): string {
  const modules = join(folder, 'node_modules')
  const framework = join(modules, 'framework')
  mkdirSync(framework, { recursive: true })
  execFileSync('tar', ['-xzf', tarball, '--strip-components=1'], { cwd: framework })
  for (const name of readdirSync(installed)) {
    if (name.startsWith('.') || name === 'framework') continue
    symlinkSync(join(installed, name), join(modules, name))
  }
  return join(framework, 'bin', 'framework.js')
}

/** The file name of the tarball that a project depends on. */
export function tarballOf(app: string): string {
  const manifest = JSON.parse(readFileSync(join(app, 'package.json'), 'utf8'))
  const [, tarball = ''] = /^file:vendor\/(.+\.tgz)$/.exec(manifest.dependencies.framework) ?? []
  return tarball
}

/** A folder for new projects, in which the framework and their packages resolve. */
export class Workshop {
  readonly folder: string = realpathSync(mkdtempSync(join(tmpdir(), 'framework-new-test-')))
  /** The framework command of these projects. */
  program: readonly string[] = []
  #assemble: typeof assembleProject = assembleProject
  #tarball = 'framework-0.0.0.tgz'
  #made = 0

  /** Uses the framework of this repository from its sources, which is fast. */
  link(): void {
    symlinkSync(installed, join(this.folder, 'node_modules'))
    this.program = sources
  }

  /** Uses the packed framework. */
  async prepare(): Promise<void> {
    const tarball = await packedFramework()
    this.#tarball = basename(tarball)
    this.program = [install(this.folder, tarball)]
    // The packed scaffold, not the demo, which may have changed since.
    const built = 'node_modules/framework/dist/console/new/make-project.js'
    this.#assemble = (await import(join(this.folder, built))).assembleProject
  }

  /** Writes the files of a project without packing anything, and returns its folder. */
  assemble(choices: Partial<ProjectChoices> = {}): string {
    this.#made += 1
    const name = `shop-${this.#made}`
    const folder = join(this.folder, name)
    const database = databaseChoices['sqlite'] ?? assert.fail()
    mkdirSync(folder)
    const starter = starters['full'] ?? assert.fail()
    const all = { name, database, starter, ...choices }
    this.#assemble(folder, all, this.#tarball)
    return folder
  }

  remove(): void {
    rmSync(this.folder, { recursive: true, force: true })
  }
}
