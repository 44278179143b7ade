import { existsSync, globSync, mkdirSync, readFileSync, writeFileSync } from 'node:fs'
import { dirname, join } from 'node:path'
import { diff } from 'node:util'
import { ConfigurationError } from '../../base/errors.ts'

/** Files of the package that a project may have copies of, by their paths there. */
export interface Ejectable {
  /** The path in a project: `views/accounts/login.template.html`. */
  readonly path: string
  readonly text: string
}

/** A copy in a project, compared with the package. */
export interface Copy {
  readonly path: string
  /** `older`: the package's has changed since it was copied; `gone`: the package has none any more. */
  readonly state: 'current' | 'older' | 'gone'
  /** What has changed in the package's since, as lines with `+`, `-` or a space before them. */
  readonly changes: readonly string[]
}

/** The texts of the package as they were copied, by path: what has changed since can be shown. */
const record = 'ejected.json'

/** Everything in a folder of the package, to be copied into a folder of the project. */
export function ejectablesIn(folder: string, into: string): readonly Ejectable[] {
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
export type Existing = 'refuse' | 'replace' | 'keep'

/**
 * Copies files into a project, and notes what they were copied from.
 * @throws ConfigurationError if the project has one of them already and they are to be refused; then nothing is copied.
 */
export function eject(root: string, files: readonly Ejectable[], existing: Existing): void {
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
export function copiesOf(root: string, files: readonly Ejectable[]): readonly Copy[] {
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
  if (typeof read !== 'object' || read === null) return new Map()
  return new Map(Object.entries(read).map(([path, text]) => [path, String(text)]))
}

const signs = { 0: ' ', 1: '-', [-1]: '+' }

/** The lines that were removed and added, each with two lines around it. */
export function changedLines(before: string, after: string): readonly string[] {
  const steps = diff(before.split('\n'), after.split('\n'))
  const isNear = (at: number): boolean =>
    steps.slice(Math.max(0, at - 2), at + 3).some(([sign]) => sign !== 0)
  return steps.filter((_step, at) => isNear(at)).map(([sign, line]) => signs[sign] + line)
}
