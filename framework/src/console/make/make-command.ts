import { existsSync, globSync, mkdirSync, readFileSync, writeFileSync } from 'node:fs'
import { dirname, join, resolve } from 'node:path'
import { Eta } from 'eta/core'
import { ConfigurationError } from '../../base/errors.ts'
import { ExitStatus } from '../../base/terminal/terminal.ts'
import type { Terminal } from '../../base/terminal/terminal.ts'
import { snakeCase } from '../../database/sql/plan/column-reference.ts'
import { newMigration, plainName } from '../../migrations/make-migration.ts'
import { hasProject } from '../../project/start/load-project.ts'
import { titleOf } from '../new/copy-scaffold.ts'
import { packageFolder } from '../package-folder.ts'

/** Options of `framework make:…`. */
export interface MakeFlags {
  readonly project: string
  readonly table?: string
  readonly dryRun?: boolean
}

// Views have tags of their own.
const eta = new Eta({ tags: ['{%', '%}'], autoEscape: false, autoTrim: false })

/**
 * Writes the files that a route set, an entity, a command, a job or a mail begins with. Prints them, and what is left
 * to add by hand. The templates are in `make/<kind>` of the package.
 * @throws ConfigurationError if there is no project, or it has one of the files: then nothing is written.
 */
export async function makeCommand(
  kind: string,
  [given = '', ...columns]: readonly string[],
  { project, table, dryRun = false }: MakeFlags,
  terminal: Terminal,
): Promise<ExitStatus> {
  const root = resolve(project)
  if (!hasProject(root)) {
    throw problem(`there is no project in ${root}; pass its folder with --project`)
  }
  const name = nameOf(kind, given, table)
  const fields = columns.map(fieldOf)
  const names = ['id', 'created_at', ...fields.map((field) => field?.column)]
  const wrong = columns.find(
    (_, at) => fields[at] === null || names.indexOf(names[at + 2]) < at + 2,
  )
  if (name === null || wrong !== undefined) {
    const message =
      name === null
        ? `${JSON.stringify(table ?? given)} is no name: take at most 50 letters and digits, such as note-items`
        : `${JSON.stringify(wrong)} is no column, or the second of its name: ${columnRule}`
    terminal.err(`${terminal.errorPaint.red('error')} ${message}\n`)
    return ExitStatus.UsageError
  }
  const file = name.replaceAll('_', '-')
  const values = {
    file,
    table: name,
    camel: camelCase(name),
    pascal: camelCase(`_${name}`),
    title: titleOf(file),
    command: given.split(':').map(plainName).join(':').replaceAll('_', '-'),
    fields,
    has: (path: string) => existsSync(join(root, path)),
  }
  const folder = join(packageFolder, 'make', kind)
  const render = (path: string): string =>
    eta.renderString(readFileSync(join(folder, path), 'utf8'), values)
  const migration =
    kind === 'entity' ? await newMigration(`create_${name}_table`, root, new Date()) : ''
  const templates = globSync('*/**/*.eta', { cwd: folder }).toSorted()
  const files = templates.map((path) => ({
    path: path.replace('FILE', file).replace('MIGRATION', migration).slice(0, -'.eta'.length),
    text: render(path),
  }))
  const existing = files.find(({ path }) => values.has(path))
  if (existing !== undefined) {
    throw problem(`${existing.path} exists, so nothing was written; choose another name`)
  }
  for (const { path, text } of files) {
    terminal.out(`${path}\n`)
    if (dryRun) continue
    mkdirSync(dirname(join(root, path)), { recursive: true })
    writeFileSync(join(root, path), text, { flag: 'wx' })
  }
  terminal.out(`\nLeft to add by hand:\n\n${render('next.eta')}`)
  return ExitStatus.Ok
}

function problem(message: string): ConfigurationError {
  return new ConfigurationError('E_MAKE', message)
}

/** What a name is in small letters: `note_items` for an entity NoteItem, `prune_notes` for a command notes:prune. */
function nameOf(kind: string, given: string, table: string | undefined): string | null {
  const parts = kind === 'command' ? given.split(':') : [table ?? given]
  const plain = parts.map(plainName)
  const name = plain.toReversed().join('_')
  if (plain.includes(null) || !/^[a-z].{0,49}$/.test(name)) return null
  return kind === 'entity' && table === undefined ? plural(name) : name
}

function plural(name: string): string {
  if (/[^aeiou]y$/.test(name)) return `${name.slice(0, -1)}ies`
  if (/(?:ss|us|is|x|z|ch|sh)$/.test(name)) return `${name}es`
  return name.endsWith('s') ? name : `${name}s`
}

function camelCase(name: string): string {
  return name.replaceAll(/_(.)/g, (_, letter: string) => letter.toUpperCase())
}

const columnRule =
  'write title:string, due-on:date:nullable, slug:string:unique, state:enumeration:draft,live or ' +
  'author-id:references:users; other kinds are text, integer, safeInteger, bigint, decimal, float, ' +
  'boolean, uuid, time, timestamp, json and bytes'
const columnForm =
  /^(?<name>[a-zA-Z][\w-]*):(?<kind>string|text|integer|safeInteger|bigint|decimal|float|boolean|uuid|date|time|timestamp|json|bytes|(?:enumeration|references(?!:\w+,))(?=:\w))(?:(?<=enumeration|references):(?<of>\w+(?:,\w+)*))?(?<nullable>:nullable)?(?<unique>:unique)?$/

function fieldOf(given: string) {
  const parts = columnForm.exec(given)?.groups
  const plain = plainName(parts?.['name'] ?? '')
  if (plain === null) return null
  const name = camelCase(plain)
  return { ...parts, name, column: snakeCase(name) }
}
