import { InvalidArgumentException } from '../../base/errors.ts'

const nameForm = /^[a-z][a-z0-9_-]{0,31}$/

/** The length of the column. */
export const maxFactorNames = 255

/**
 * The name of a factor.
 * @throws InvalidArgumentException for one that does not fit into URLs and the accounts table.
 */
export function checkedFactorName(name: string): string {
  if (nameForm.test(name)) return name
  throw new InvalidArgumentException(
    'E_INVALID_ARGUMENT',
    'the name of a factor must have at most 32 lower-case letters, digits, - and _, and start with a letter',
  )
}

/** The names in the column of the accounts table, where they are separated by spaces. */
export function readFactorNames(column: unknown): readonly string[] {
  return typeof column === 'string' && column !== '' ? column.split(' ') : none
}

/** The column with a name added or removed; null if no name is left. */
export function writeFactorNames(
  names: readonly string[],
  name: string,
  isEnrolled: boolean,
): string | null {
  const others = names.filter((other) => other !== name)
  const all = isEnrolled ? [...others, checkedFactorName(name)] : others
  return all.length === 0 ? null : all.toSorted().join(' ')
}

const none: readonly string[] = Object.freeze([])
