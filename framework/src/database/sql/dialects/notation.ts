import { InvalidArgumentException } from '../../../base/errors.ts'
import type { ColumnReference } from '../plan/column-reference.ts'

/** How one database writes names and parameters: all that a handwritten statement needs. */
export interface Notation {
  /** Quotes an identifier, which may contain anything but NUL. */
  readonly quote: (identifier: string) => string
  /** The placeholder of the parameter at this position, starting at 1. */
  readonly placeholder: (position: number) => string
}

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

/**
 * The quoted names of columns in one dialect. Columns and lists of them live as long as their
 * entity, so each is quoted only once.
 */
export class QuotedColumns {
  readonly #quote: Notation['quote']
  readonly #names = new WeakMap<ColumnReference, string>()
  readonly #lists = new WeakMap<readonly ColumnReference[], string>()

  constructor(quote: Notation['quote']) {
    this.#quote = quote
  }

  /** The quoted name of a column. */
  name(column: ColumnReference): string {
    const known = this.#names.get(column)
    if (known !== undefined) return known
    const quoted = this.#quote(column.name)
    this.#names.set(column, quoted)
    return quoted
  }

  /** The quoted names of columns, comma-separated. The list must not change afterwards. */
  list(columns: readonly ColumnReference[]): string {
    const known = this.#lists.get(columns)
    if (known !== undefined) return known
    const quoted = columns.map((column) => this.name(column)).join(', ')
    this.#lists.set(columns, quoted)
    return quoted
  }
}
