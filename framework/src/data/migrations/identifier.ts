import { createHash } from 'node:crypto'
import { InvalidArgumentException } from '../../base/errors.ts'

/** The shortest limit of all databases. Beyond theirs they cut a name off without a word or refuse it. */
const maxBytes = 63

/**
 * A name of a table, column or index that every database takes as it is.
 * @throws InvalidArgumentException for one that a database would cut off or refuse.
 */
export function checkedIdentifier(name: string): string {
  const bytes = Buffer.byteLength(name)
  if (bytes > 0 && bytes <= maxBytes && !/[\0]|\s$/.test(name)) return name
  throw new InvalidArgumentException(
    'E_IDENTIFIER',
    `a table, column or index has a name of 1 to ${maxBytes} bytes without NUL and without a blank at its end, got ${JSON.stringify(name)}`,
  )
}

/** The name of something that belongs to columns: `posts_author_id_index`. A long one is cut and told apart by a digest. */
export function derivedName(table: string, columns: readonly string[], suffix: string): string {
  const whole = [table, ...columns, suffix].join('_')
  if (Buffer.byteLength(whole) <= maxBytes) return whole
  const digest = createHash('sha256').update(whole).digest('hex').slice(0, 10)
  let start = whole
  while (Buffer.byteLength(start) > maxBytes - digest.length - 1) start = start.slice(0, -1)
  return `${start.toWellFormed()}_${digest}`
}
