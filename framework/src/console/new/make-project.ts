import {
  accessSync,
  constants,
  cpSync,
  existsSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  rmSync,
  statSync,
  writeFileSync,
} from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { ConfigurationError } from '../../base/errors.ts'
import { nearestExisting, unwritableReason } from '../../base/files/explain-unwritable.ts'
import { frameworkScopes } from '../../project/start/project-settings.ts'
import { effectiveTable } from '../../settings/effective-table.ts'
import { Environments } from '../../settings/environments.ts'
import { packageFolder } from '../package-folder.ts'
import type { DatabaseChoice, Starter } from './choices.ts'
import { copyScaffold, rewrite } from './copy-scaffold.ts'
import { packFramework } from './pack-framework.ts'
import { projectManifest } from './project-manifest.ts'

/** The choices for a new project. */
export interface ProjectChoices {
  readonly name: string
  readonly database: DatabaseChoice
  readonly starter: Starter
}

interface MakeProjectOptions extends ProjectChoices {
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

/**
 * Writes the files of a new project into a folder, except the packed framework: `tarball` is its file
 * name in `vendor/`.
 * @throws ConfigurationError if there is no scaffold.
 */
export function assembleProject(folder: string, choices: ProjectChoices, tarball: string): void {
  const { name, database, starter } = choices
  copyScaffold(packageFolder, starter.folder, { to: folder, name })
  writeSettings(folder, database, name)
  const manifest = join(folder, 'package.json')
  const options = { name, tarball, packages: database.packages }
  writeFileSync(manifest, projectManifest(readFileSync(manifest, 'utf8'), options))
  writeFileSync(join(folder, 'tsconfig.json'), projectTsconfig())
}

/**
 * Writes `.env`: here is development, and the database if it is on a server. Where nothing says so, a project runs in
 * production.
 */
export function writeSettings(
  folder: string,
  { projectUrl }: DatabaseChoice,
  project: string,
): void {
  const url = projectUrl === null ? null : `DATABASE_URL=${projectUrl(project)}`
  const lines = ['FRAMEWORK_ENVIRONMENT=development', ...(url === null ? [] : [url])]
  // It may contain a password.
  writeFileSync(join(folder, '.env'), `${lines.join('\n')}\n`, { mode: 0o600 })
  const example = join(folder, '.env.example')
  if (!existsSync(example)) writeFileSync(example, envExample())
  if (url === null) return
  rewrite(example, (text) => text.replace(/^# DATABASE_URL=.*$/m, () => url))
}

/** The framework's settings with their meaning and default, for a project without others. */
function envExample(): string {
  const nothing = { environment: Environments.Production, lookup: () => null }
  const settings = effectiveTable(Object.values(frameworkScopes), nothing)
  const lines = settings.map(
    ({ variable, value, meaning }) => `# ${meaning}\n# ${variable}=${value}\n`,
  )
  return `# Copy to .env and change what you need.\n\n${lines.join('\n')}`
}

/** The `tsconfig.json` of a new project, for type checking only: Node runs TypeScript itself. */
function projectTsconfig(): string {
  const config = {
    compilerOptions: {
      target: 'es2024',
      lib: ['es2024', 'esnext.disposable', 'esnext.iterator'],
      module: 'nodenext',
      types: ['node'],
      strict: true,
      noUncheckedIndexedAccess: true,
      exactOptionalPropertyTypes: true,
      erasableSyntaxOnly: true,
      verbatimModuleSyntax: true,
      allowImportingTsExtensions: true,
      skipLibCheck: true,
      noEmit: true,
    },
    exclude: ['node_modules', 'storage', 'vendor'],
  }
  return `${JSON.stringify(config, null, 2)}\n`
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
