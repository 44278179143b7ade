import { join, resolve } from 'node:path'
import { builtInViews } from '../../accounts/module/accounts-module.ts'
import { ConfigurationError } from '../../base/errors.ts'
import { nearNames } from '../../base/templates/near-names.ts'
import { ExitStatus } from '../../base/terminal/terminal.ts'
import type { Terminal } from '../../base/terminal/terminal.ts'
import { hasProject } from '../../project/start/load-project.ts'
import { packageFolder } from '../package-folder.ts'
import { copiesOf, eject, ejectablesIn } from './ejected-files.ts'
import type { Ejectable } from './ejected-files.ts'

/** Options of `framework eject`. */
export interface EjectFlags {
  readonly project: string
  readonly status?: boolean
  readonly force?: boolean
  readonly keep?: boolean
}

/** Copies views, mails or all of accounts into a project, or tells which copies are older than the package's. */
export function ejectCommand(
  name: string | undefined,
  { project, status = false, force = false, keep = false }: EjectFlags,
  terminal: Terminal,
): ExitStatus {
  const root = resolve(project)
  if (!hasProject(root)) {
    const message = `there is no project in ${root}; pass its folder with --project`
    throw new ConfigurationError('E_EJECT', message)
  }
  if (status) return printStatus(root, terminal)
  const files = name === undefined ? [] : filesOf(name)
  if (files.length === 0) {
    terminal.err(`${terminal.errorPaint.red('error')} ${unknownName(name)}\n`)
    return ExitStatus.UsageError
  }
  eject(root, files, keep ? 'keep' : force ? 'replace' : 'refuse')
  for (const { path } of files) terminal.out(`${path}\n`)
  if (name === 'accounts') terminal.out(ownAccounts)
  return ExitStatus.Ok
}

const ownAccounts = `
The accounts are yours now: import { accounts } from './accounts/accounts-module.ts' instead of 'framework/accounts'.
Updates of the framework no longer change them; \`npx framework eject --status\` tells what they would.
`

const views = (): readonly Ejectable[] => ejectablesIn(builtInViews, 'views')

/** Everything of accounts in one folder, where its code looks for its views and static files. */
const everything = (): readonly Ejectable[] => [
  // With imports of the package's public names.
  ...ejectablesIn(join(packageFolder, 'scaffold', 'accounts'), 'accounts'),
  ...ejectablesIn(builtInViews, 'accounts/views'),
  ...ejectablesIn(join(builtInViews, '..', 'public'), 'accounts/public'),
]

/** `accounts/login` is one view, `mails/verify` its text too, `accounts` everything. */
function filesOf(name: string): readonly Ejectable[] {
  if (name === 'accounts') return everything()
  return views().filter(({ path }) => nameOf(path) === name)
}

function nameOf(path: string): string {
  return path.replace(/^views\//, '').replace(/(?:\.text)?\.template\.html$/, '')
}

function unknownName(name: string | undefined): string {
  const names = [...new Set(views().map(({ path }) => nameOf(path)))]
  const hint =
    'say what: `framework eject accounts/login`, `mails/verify`, or `accounts` for everything'
  if (name === undefined) return hint
  const near = nearNames(name, names).map((known) => `"${known}"`)
  return near.length === 0
    ? `the framework has no view "${name}"; ${hint}`
    : `the framework has no view "${name}"; did you mean ${near.join(', ')}?`
}

const takeOver = `
Take over what you want of the changes, then \`framework eject <name> --keep\` counts the copy as current.
`

function printStatus(root: string, terminal: Terminal): ExitStatus {
  const { paint } = terminal
  const copies = copiesOf(root, [...views(), ...everything()])
  if (copies.length === 0) terminal.out('the project has no copies of built-in files\n')
  for (const { path, state, changes } of copies) {
    const word = state === 'current' ? paint.green(state) : paint.yellow(state)
    terminal.out(`${word}  ${path}\n`)
    for (const line of changes) {
      const isAdded = line.startsWith('+')
      const coloured = isAdded ? paint.green(line) : line.startsWith('-') ? paint.red(line) : line
      terminal.out(`    ${coloured}\n`)
    }
  }
  if (copies.every(({ state }) => state === 'current')) return ExitStatus.Ok
  terminal.out(takeOver)
  return ExitStatus.UserError
}
