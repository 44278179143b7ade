import type { ColumnReference } from '../plan/column-reference.ts'
import type { Notation } from './notation.ts'

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
