import { InvalidArgumentException } from '../../../base/errors.ts'
import type { ColumnReference } from '../plan/column-reference.ts'

/** How one database writes names and parameters: all that a handwritten statement needs. */
export interface Notation {
  /** Quotes an identifier, which may contain anything but NUL. */
  readonly quote: (identifier: string) => string
  /** The placeholder of the parameter at this position, starting at 1. */
  readonly placeholder: (position: number) => string
  /** The texts of statements that were written like this before. */
  readonly texts?: Texts
}

// A client may be able to cause many texts, with another limit each, so they are forgotten then.
const maxParts = 500

/**
 * Texts of statements by the parts that they are made of, so that equal statements have the same string.
 * To find what is prepared for a string that is equal but new, all of it is read: that takes longer than
 * writing it did.
 */
export class Texts {
  /** The text that is made of the parts so far; null if it was not written yet. */
  text: string | null = null
  #next: Map<unknown, Texts> | null = null

  /** The texts with one part more. */
  with(part: unknown): Texts {
    this.#next ??= new Map()
    let texts = this.#next.get(part)
    if (texts !== undefined) return texts
    if (this.#next.size === maxParts) this.#next.clear()
    this.#next.set(part, (texts = new Texts()))
    return texts
  }
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
 * The quoted names of columns in one dialect, and the texts of statements about them. Columns and lists of
 * them live as long as their entity, so each is quoted only once. A list must not change afterwards.
 */
export class QuotedColumns {
  readonly #quote: Notation['quote']
  readonly #texts = new WeakMap<ColumnReference | readonly ColumnReference[], Texts>()

  constructor(quote: Notation['quote']) {
    this.#quote = quote
  }

  /** The quoted name of a column. */
  name(column: ColumnReference): string {
    return (this.texts(column).text ??= this.#quote(column.name))
  }

  /** The quoted names of columns, comma-separated. */
  list(columns: readonly ColumnReference[]): string {
    return (this.texts(columns).text ??= columns.map((column) => this.name(column)).join(', '))
  }

  /** The texts of statements that begin with a column or a list of columns. */
  texts(first: ColumnReference | readonly ColumnReference[]): Texts {
    let texts = this.#texts.get(first)
    if (texts === undefined) this.#texts.set(first, (texts = new Texts()))
    return texts
  }
}
