import { readdirSync, realpathSync, statSync } from 'node:fs'
import { join, relative, resolve, sep } from 'node:path'
import { RecentTexts } from '../encoding/recent-texts.ts'
import { InvalidArgumentException, hasCode } from '../errors.ts'

/** File extension of every view; view names omit it. */
export const VIEW_ENDING = '.template.html'

// Unknown names may come from requests, so the cache must be bounded.
const maxRemembered = 2_500

/**
 * A folder of templates: finds the files of validated view names and never returns one outside the
 * folder. With `remember`, each name is looked up on disk only once.
 */
export class TemplateFolder {
  readonly root: string
  readonly #remember: boolean
  readonly #located = new RecentTexts<string | null>(maxRemembered)

  constructor(root: string, remember: boolean) {
    this.root = resolve(root)
    this.#remember = remember
  }

  /**
   * The real path of the view's file, or null when it does not exist.
   * @throws InvalidArgumentException (E_VIEW_REFUSED) when a symbolic link leads out of the folder.
   */
  locate(name: string): string | null {
    const find = (): string | null => this.#find(name)
    return this.#remember ? this.#located.getOr(name, find) : find()
  }

  /** Names of all templates below the folder, sorted. */
  names(): string[] {
    if (realPath(this.root) === null) return []
    return readdirSync(this.root, { recursive: true, withFileTypes: true })
      .filter((entry) => entry.name.endsWith(VIEW_ENDING) && !entry.isDirectory())
      .map((entry) => relative(this.root, join(entry.parentPath, entry.name)))
      .map((path) => path.slice(0, -VIEW_ENDING.length).split(sep).join('/'))
      .sort()
  }

  /** Where the view's file is looked for. */
  pathOf(name: string): string {
    return join(this.root, name + VIEW_ENDING)
  }

  #find(name: string): string | null {
    const root = realPath(this.root)
    const file = realPath(this.pathOf(name))
    if (root === null || file === null) return null
    if (!file.startsWith(root + sep)) {
      // A link out of the folder would let a template name read any file on the machine.
      throw new InvalidArgumentException(
        'E_VIEW_REFUSED',
        `view '${name}' is a symbolic link out of ${this.root}; copy the file into that folder`,
      )
    }
    return statSync(file, { throwIfNoEntry: false })?.isFile() ? file : null
  }
}

function realPath(path: string): string | null {
  try {
    return realpathSync(path)
  } catch (error) {
    if (hasCode(error, 'ENOENT', 'ENOTDIR', 'ENAMETOOLONG', 'ELOOP')) return null
    throw error
  }
}

/**
 * Resolves a view name used by the template `from` to its name below the views folder.
 * `./x` is relative to `from`; every other name starts at the folder.
 * @throws InvalidArgumentException (E_VIEW_REFUSED) for an invalid name or one that leaves the folder.
 */
export function viewName(name: unknown, from?: string): string {
  if (typeof name !== 'string') throw invalidViewName(name, 'is not a string')
  const isRelative = from !== undefined && name.startsWith('./')
  const problem = problemOf(isRelative ? name.slice(2) : name)
  if (problem !== null) throw invalidViewName(name, problem)
  return isRelative ? from.slice(0, from.lastIndexOf('/') + 1) + name.slice(2) : name
}

function invalidViewName(name: unknown, problem: string): InvalidArgumentException {
  const shown = typeof name === 'string' ? JSON.stringify(name) : typeof name
  return new InvalidArgumentException(
    'E_VIEW_REFUSED',
    `view name ${shown} ${problem}; ` +
      `use a path below the views folder without '${VIEW_ENDING}', like 'errors/404'`,
  )
}

// Checked before any file is touched, so that a name from a request cannot reach other folders.
function problemOf(name: string): string | null {
  if (name === '') return 'is empty'
  if (name.startsWith('/')) return 'is an absolute path'
  if (name.includes('\\')) return 'contains a backslash'
  if (/\p{Cc}/u.test(name)) return 'contains a control character'
  const parts = name.split('/')
  if (parts.includes('..')) return "contains '..'"
  if (parts.includes('.') || parts.includes('')) return "contains an empty part or '.'"
  return null
}
