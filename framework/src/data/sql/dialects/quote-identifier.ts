import { InvalidArgumentException } from '../../../base/errors.ts'

/**
 * An identifier in double quotes, as the standard has it; a quote inside it is doubled.
 * @throws InvalidArgumentException for an empty one or one with NUL.
 */
export function doubleQuoted(identifier: string): string {
  return quoted(identifier, '"')
}

/**
 * An identifier in backquotes.
 * @throws InvalidArgumentException for an empty one or one with NUL.
 */
export function backquoted(identifier: string): string {
  return quoted(identifier, '`')
}

function quoted(identifier: string, mark: string): string {
  if (identifier === '' || identifier.includes('\0')) {
    throw new InvalidArgumentException(
      'E_IDENTIFIER',
      `an SQL identifier is a text of one character or more without NUL, got ${JSON.stringify(identifier)}`,
    )
  }
  return mark + identifier.replaceAll(mark, mark + mark) + mark
}
