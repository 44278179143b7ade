import { basename, relative, resolve } from 'node:path'
import { ExitStatus } from '../exit-status.ts'
import { makeProject } from '../new/make-project.ts'
import { checkProjectName, nameFromFolder } from '../new/project-name.ts'
import type { Terminal } from '../terminal.ts'

/** What `framework new` takes. */
export interface NewFlags {
  readonly name?: string
  readonly force?: boolean
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
  const folder = resolve(given ?? (await terminal.ask('Folder of the project?', 'app')))
  const suggested = nameFromFolder(basename(folder))
  const asks = flags.name === undefined && given === undefined
  const name = flags.name ?? (asks ? await terminal.ask('Its name?', suggested) : suggested)
  makeProject({ folder, name: checkProjectName(name), force: flags.force ?? false })
  terminal.out(nextSteps(name, folder, terminal))
  return ExitStatus.Ok
}

function nextSteps(name: string, folder: string, { paint }: Terminal): string {
  const path = relative(process.cwd(), folder)
  const enter = path === '' ? [] : [`  cd ${path}`]
  const steps = [...enter, '  npm install', '  npm start']
  return [`${paint.bold(name)} is ready. Next:`, '', ...steps.map(paint.cyan), '', ''].join('\n')
}
