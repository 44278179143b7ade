import { createHash } from 'node:crypto'
import { InvalidArgumentException } from '../base/errors.ts'

/** The lowest limit of all databases; beyond theirs they truncate a name silently or reject it. */
const maxBytes = 63

/**
 * Checks the name of a table, column or index.
 * @throws InvalidArgumentException for a name that a database would truncate or reject.
 */
export function checkedIdentifier(name: string): string {
  const bytes = Buffer.byteLength(name)
  if (bytes > 0 && bytes <= maxBytes && !/[\0]|\s$/.test(name)) return name
  throw new InvalidArgumentException(
    'E_IDENTIFIER',
    `the name of a table, column or index must have 1 to ${maxBytes} bytes, no NUL and no trailing space, got ${JSON.stringify(name)}`,
  )
}

/**
 * A name derived from columns, such as `posts_author_id_index`. A long one is cut and gets a
 * digest.
 */
export function derivedName(table: string, columns: readonly string[], suffix: string): string {
  const whole = [table, ...columns, suffix].join('_')
  if (Buffer.byteLength(whole) <= maxBytes) return whole
  const digest = createHash('sha256').update(whole).digest('hex').slice(0, 10)
  let start = whole
  while (Buffer.byteLength(start) > maxBytes - digest.length - 1) start = start.slice(0, -1)
  return `${start.toWellFormed()}_${digest}`
}
