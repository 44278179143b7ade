import { InvalidArgumentException } from '../../../base/errors.ts'

/**
 * An identifier in double quotes, as in standard SQL; quotes inside it are doubled.
 * @throws InvalidArgumentException if it is empty or contains NUL.
 */
export function doubleQuoted(identifier: string): string {
  return quoted(identifier, '"')
}

/**
 * An identifier in backquotes.
 * @throws InvalidArgumentException if it is empty or contains NUL.
 */
export function backquoted(identifier: string): string {
  return quoted(identifier, '`')
}

function quoted(identifier: string, mark: string): string {
  if (identifier === '' || identifier.includes('\0')) {
    throw new InvalidArgumentException(
      'E_IDENTIFIER',
      `an SQL identifier must have at least one character and no NUL, got ${JSON.stringify(identifier)}`,
    )
  }
  return mark + identifier.replaceAll(mark, mark + mark) + mark
}
