import { basename, relative, resolve } from 'node:path'
import { ConfigurationError } from '../../base/errors.ts'
import { ExitStatus } from '../../base/terminal/terminal.ts'
import { databaseChoices, starters } from './choices.ts'
import type { DatabaseChoice, Starter } from './choices.ts'
import { makeProject } from './make-project.ts'
import type { Terminal } from '../../base/terminal/terminal.ts'

/** Options of `framework new`. */
export interface NewFlags {
  readonly name?: string
  readonly force?: boolean
  readonly database?: string
  readonly starter?: string
}

const [defaultDatabase = ''] = Object.keys(databaseChoices)
const whichDatabase = `Its database: ${Object.keys(databaseChoices).join(', ')}?`

/** Creates a project. Asks for what is missing, but only on a terminal. */
export async function newProject(
  given: string | undefined,
  flags: NewFlags,
  terminal: Terminal,
): Promise<ExitStatus> {
  if (given === undefined && !terminal.interactive) {
    terminal.err(`${terminal.errorPaint.red('error')} missing folder: framework new <folder>\n`)
    return ExitStatus.UsageError
  }
  const { force = false } = flags
  const starter = starterOf(flags)
  const folder = resolve(given ?? (await terminal.ask('Folder of the project?', 'app')))
  const suggested = nameFromFolder(basename(folder))
  // If the folder is given, the rest comes from options and defaults, without questions.
  const asks = given === undefined
  const askFor = (question: string, fallback: string): Promise<string> | string =>
    asks ? terminal.ask(question, fallback) : fallback
  const name = checkProjectName(flags.name ?? (await askFor('Its name?', suggested)))
  const kind =
    flags.database ??
    (starter.hasDatabase ? await askFor(whichDatabase, defaultDatabase) : defaultDatabase)
  const database = chosen('database', databaseChoices, kind)
  makeProject({ folder, name, force, database, starter })
  terminal.out(nextSteps(name, folder, database, terminal))
  return ExitStatus.Ok
}

/** @throws ConfigurationError for an unknown starter, or a database for one that has none. */
function starterOf({ starter: given, database }: NewFlags): Starter {
  const [fallback = ''] = Object.keys(starters)
  const starter = chosen('starter', starters, given ?? fallback)
  if (starter.hasDatabase || database === undefined) return starter
  throw new ConfigurationError('E_NEW', 'a minimal project has no database; use another --starter')
}

/** A project name derived from the name of its folder. */
export function nameFromFolder(folder: string): string {
  const plain = folder
    .normalize('NFKD')
    .replaceAll(/\p{Mark}/gu, '')
    .toLowerCase()
  const name = plain.replaceAll(/[^a-z0-9._-]+/g, '-').replaceAll(/^[._-]+|[._-]+$/g, '')
  return allowed.test(name) && !taken.has(name) ? name : 'app'
}

const allowed = /^[a-z0-9][a-z0-9._-]{0,99}$/
// npm rejects a package that depends on its own name, and reserves the other two.
const taken: ReadonlySet<string> = new Set(['framework', 'node_modules', 'favicon.ico'])

/** @throws ConfigurationError for an invalid package name. */
export function checkProjectName(name: string): string {
  if (allowed.test(name) && !taken.has(name)) return name
  throw new ConfigurationError(
    'E_NEW',
    `"${name}" is not a valid project name: use lower-case letters, digits, ".", "_" and "-", ` +
      `begin with a letter or digit, and avoid ${[...taken].join(', ')}; set it with --name`,
  )
}

/** @throws ConfigurationError for a name that none of the choices has. */
function chosen<T>(what: string, choices: Readonly<Record<string, T>>, name: string): T {
  const choice = Object.hasOwn(choices, name) ? choices[name] : undefined
  if (choice !== undefined) return choice
  const known = Object.keys(choices).join(', ')
  throw new ConfigurationError('E_NEW', `unknown ${what} "${name}"; choose from ${known}`)
}

function nextSteps(
  name: string,
  folder: string,
  database: DatabaseChoice,
  { paint }: Terminal,
): string {
  const path = relative(process.cwd(), folder)
  const enter = path === '' ? [] : [`  cd ${shellWord(path)}`]
  const steps = [...enter, '  npm install', '  npm start'].map(paint.cyan)
  const note = database.projectUrl === null ? [] : ['', 'Set DATABASE_URL in .env first.']
  return [`${paint.bold(name)} is ready. Next:`, '', ...steps, ...note, '', ''].join('\n')
}

// Quoted for a shell, in case the folder name contains a space.
function shellWord(text: string): string {
  return /^[\w./@+-]+$/.test(text) ? text : `'${text.replaceAll("'", `'\\''`)}'`
}
