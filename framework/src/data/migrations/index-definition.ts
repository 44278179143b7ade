import { InvalidArgumentException } from '../../base/errors.ts'
import { caseOf } from '../sql/write/case-of.ts'
import { Orders } from '../sql/plan/operators.ts'
import { checkedIdentifier, derivedName } from './identifier.ts'

const checkedOrder = caseOf('the direction of a column in an index', Orders)

/** A column of an index: its name, or its name and direction. */
export type IndexColumn = string | readonly [name: string, order: Orders]

/** What an index may be told. */
export interface IndexOptions {
  /** Lets no two rows have the same values. */
  readonly unique?: boolean
  /** In place of `<table>_<columns>_index`, or `…_unique`. */
  readonly name?: string
}

/** An index, complete. */
export interface IndexDefinition {
  readonly name: string
  readonly table: string
  readonly columns: readonly { readonly name: string; readonly order: Orders }[]
  readonly isUnique: boolean
}

/**
 * Puts an index together.
 * @throws InvalidArgumentException without columns, or with one named twice or in no known direction.
 */
export function indexDefinition(
  table: string,
  columns: readonly IndexColumn[],
  { unique = false, name }: IndexOptions = {},
): IndexDefinition {
  const parts = columns.map((column) => {
    const [part, order] = typeof column === 'string' ? [column, Orders.Asc] : column
    return { name: checkedIdentifier(part), order: checkedOrder(order) }
  })
  const names = parts.map((part) => part.name)
  if (names.length === 0 || new Set(names).size < names.length) {
    throw new InvalidArgumentException(
      'E_INVALID_ARGUMENT',
      `an index of ${table} takes one column or more, each once, got ${JSON.stringify(names)}`,
    )
  }
  return {
    name: checkedIdentifier(name ?? derivedName(table, names, unique ? 'unique' : 'index')),
    table: checkedIdentifier(table),
    columns: parts,
    isUnique: unique,
  }
}
