import { existsSync, globSync, mkdirSync, readFileSync, writeFileSync } from 'node:fs'
import { dirname, join, resolve } from 'node:path'
import { diff } from 'node:util'
import { builtInViews } from '../../accounts/module/accounts-module.ts'
import { ConfigurationError } from '../../base/errors.ts'
import { isRecord } from '../../base/is-record.ts'
import { nearNames } from '../../base/templates/near-names.ts'
import { ExitStatus } from '../../base/terminal/terminal.ts'
import type { Terminal } from '../../base/terminal/terminal.ts'
import { hasProject } from '../../project/start/load-project.ts'
import { packageFolder } from '../package-folder.ts'

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

/** Everything of accounts in one folder, where its code looks for its views, static files and texts. */
const everything = (): readonly Ejectable[] => [
  // With imports of the package's public names.
  ...ejectablesIn(join(packageFolder, 'scaffold', 'accounts'), 'accounts'),
  ...ejectablesIn(builtInViews, 'accounts/views'),
  ...ejectablesIn(join(builtInViews, '..', 'public'), 'accounts/public'),
  ...ejectablesIn(join(builtInViews, '..', 'messages'), 'accounts/messages'),
]

/** `accounts/login` and `mails/verify` are one view, `accounts` everything. */
function filesOf(name: string): readonly Ejectable[] {
  if (name === 'accounts') return everything()
  return views().filter(({ path }) => nameOf(path) === name)
}

function nameOf(path: string): string {
  return path.replace(/^views\//, '').replace(/\.template\.html$/, '')
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

/** Files of the package that a project may have copies of, by their paths there. */
interface Ejectable {
  /** The path in a project: `views/accounts/login.template.html`. */
  readonly path: string
  readonly text: string
}

/** A copy in a project, compared with the package. */
interface Copy {
  readonly path: string
  /** `older`: the package's has changed since it was copied; `gone`: the package has none any more. */
  readonly state: 'current' | 'older' | 'gone'
  /** What has changed in the package's since, as lines with `+`, `-` or a space before them. */
  readonly changes: readonly string[]
}

/** The texts of the package as they were copied, by path: what has changed since can be shown. */
const record = 'ejected.json'

/** Everything in a folder of the package, to be copied into a folder of the project. */
function ejectablesIn(folder: string, into: string): readonly Ejectable[] {
  return globSync('**/*', { cwd: folder, withFileTypes: true })
    .filter((entry) => entry.isFile())
    .map((entry) => join(entry.parentPath, entry.name))
    .toSorted()
    .map((file) => ({
      path: join(into, file.slice(folder.length + 1)),
      text: readFileSync(file, 'utf8'),
    }))
}

/** What happens to files that the project has already; `keep` only notes that they are copies of the package's. */
type Existing = 'refuse' | 'replace' | 'keep'

/**
 * Copies files into a project, and notes what they were copied from.
 * @throws ConfigurationError if the project has one of them already and they are to be refused; then nothing is copied.
 */
function eject(root: string, files: readonly Ejectable[], existing: Existing): void {
  const taken = files.filter(({ path }) => existsSync(join(root, path)))
  const [first] = taken
  if (first !== undefined && existing === 'refuse') {
    throw new ConfigurationError(
      'E_EJECT',
      `${first.path} is in the project already; replace it with --force, or count it as a copy as it is with --keep`,
    )
  }
  const copied = readRecord(root)
  for (const file of files) {
    const { path, text } = file
    copied.set(path, text)
    if (existing === 'keep' && taken.includes(file)) continue
    mkdirSync(dirname(join(root, path)), { recursive: true })
    writeFileSync(join(root, path), text)
  }
  const sorted = [...copied].toSorted(([one], [other]) => (one < other ? -1 : 1))
  writeFileSync(join(root, record), `${JSON.stringify(Object.fromEntries(sorted), null, 2)}\n`)
}

/** The copies of a project that still exist, compared with the package. */
function copiesOf(root: string, files: readonly Ejectable[]): readonly Copy[] {
  const now = new Map(files.map(({ path, text }) => [path, text]))
  const kept = [...readRecord(root)].filter(([path]) => existsSync(join(root, path)))
  return kept.map(([path, original]) => {
    const text = now.get(path)
    if (text === undefined) return { path, state: 'gone', changes: [] }
    if (text === original) return { path, state: 'current', changes: [] }
    return { path, state: 'older', changes: changedLines(original, text) }
  })
}

function readRecord(root: string): Map<string, string> {
  const file = join(root, record)
  if (!existsSync(file)) return new Map()
  const read: unknown = JSON.parse(readFileSync(file, 'utf8'))
  return new Map(
    Object.entries(isRecord(read) ? read : {}).map(([path, text]) => [path, String(text)]),
  )
}

const signs = { 0: ' ', 1: '-', [-1]: '+' }

/** The lines that were removed and added, each with two lines around it. */
export function changedLines(before: string, after: string): readonly string[] {
  const steps = diff(before.split('\n'), after.split('\n'))
  const isNear = (at: number): boolean =>
    steps.slice(Math.max(0, at - 2), at + 3).some(([sign]) => sign !== 0)
  return steps.filter((_step, at) => isNear(at)).map(([sign, line]) => signs[sign] + line)
}
