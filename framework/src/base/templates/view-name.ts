import { InvalidArgumentException } from '../errors.ts'

/** File extension of every view; view names omit it. */
export const VIEW_ENDING = '.template.html'

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
