import { basename, relative, resolve } from 'node:path'
import { ConfigurationError } from '../../base/errors.ts'
import { ExitStatus } from '../exit-status.ts'
import { databaseChoices } from '../new/database-choice.ts'
import type { DatabaseChoice } from '../new/database-choice.ts'
import { makeProject } from '../new/make-project.ts'
import { checkProjectName, nameFromFolder } from '../new/project-name.ts'
import type { Terminal } from '../terminal.ts'

/** What `framework new` takes. */
export interface NewFlags {
  readonly name?: string
  readonly force?: boolean
  readonly database?: string
  readonly without?: readonly string[]
  readonly minimal?: boolean
}

/** Makes a new project. Asks for what is missing, but only on a terminal. */
export async function newProject(
  given: string | undefined,
  flags: NewFlags,
  terminal: Terminal,
): Promise<ExitStatus> {
  if (given === undefined && !terminal.interactive) {
    terminal.err(`${terminal.errorPaint.red('error')} name the folder: framework new <folder>\n`)
    return ExitStatus.UsageError
  }
  const { force = false, without = [], minimal = false } = flags
  const folder = resolve(given ?? (await terminal.ask('Folder of the project?', 'app')))
  const suggested = nameFromFolder(basename(folder))
  // Whoever names the folder has made up their mind: the rest then comes from flags and defaults.
  const asks = given === undefined
  const answer = (question: string, fallback: string): Promise<string> | string =>
    asks ? terminal.ask(question, fallback) : fallback
  const name = checkProjectName(flags.name ?? (await answer('Its name?', suggested)))
  const kind = flags.database ?? (minimal ? standard : await answer(whichDatabase, standard))
  const database = choiceOf(kind)
  makeProject({ folder, name, force, database, without, minimal })
  terminal.out(nextSteps(name, folder, database, terminal))
  return ExitStatus.Ok
}

const [standard = ''] = Object.keys(databaseChoices)
const whichDatabase = `Its database: ${Object.keys(databaseChoices).join(', ')}?`

function choiceOf(kind: string): DatabaseChoice {
  const choice = Object.hasOwn(databaseChoices, kind) ? databaseChoices[kind] : undefined
  if (choice !== undefined) return choice
  const known = Object.keys(databaseChoices).join(', ')
  throw new ConfigurationError('E_NEW', `"${kind}" is no database; there are ${known}`)
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
  const note = database.projectUrl === null ? [] : ['', 'Say in .env first where its database is.']
  return [`${paint.bold(name)} is ready. Next:`, '', ...steps, ...note, '', ''].join('\n')
}

// To be typed as it stands, also where the folder has a blank in its name.
function shellWord(text: string): string {
  return /^[\w./@+-]+$/.test(text) ? text : `'${text.replaceAll("'", `'\\''`)}'`
}
