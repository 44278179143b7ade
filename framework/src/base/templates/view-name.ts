import { InvalidArgumentException } from '../errors.ts'

/** How the file of every view ends; names are written without it. */
export const VIEW_ENDING = '.template.html'

/**
 * The full name, from the views root, of the view called `name` by the template `from`.
 * `./x` stands beside `from`; every other name starts at the root.
 * @throws InvalidArgumentException (E_VIEW_REFUSED) for a name that is not one or leads elsewhere.
 */
export function viewName(name: unknown, from?: string): string {
  if (typeof name !== 'string') throw refused(name, 'is not a string')
  const beside = from !== undefined && name.startsWith('./')
  const reason = refusal(beside ? name.slice(2) : name)
  if (reason !== null) throw refused(name, reason)
  return beside ? from.slice(0, from.lastIndexOf('/') + 1) + name.slice(2) : name
}

function refused(name: unknown, reason: string): InvalidArgumentException {
  const shown = typeof name === 'string' ? JSON.stringify(name) : typeof name
  return new InvalidArgumentException(
    'E_VIEW_REFUSED',
    `view name ${shown} ${reason}; ` +
      `write it from the views folder, without '${VIEW_ENDING}', like 'errors/404'`,
  )
}

// Refused before any file is touched, so that a name out of a request can never walk the disk.
function refusal(name: string): string | null {
  if (name === '') return 'is empty'
  if (name.startsWith('/')) return 'is an absolute path'
  if (name.includes('\\')) return 'holds a backslash'
  if (/\p{Cc}/u.test(name)) return 'holds a control character'
  const parts = name.split('/')
  if (parts.includes('..')) return "climbs with '..'"
  if (parts.includes('.') || parts.includes('')) return "holds an empty part or '.'"
  return null
}
