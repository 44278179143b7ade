import { InvalidArgumentException } from '../../base/errors.ts'
import { caseChecker } from '../sql/write/case-checker.ts'
import { Orders } from '../sql/plan/operators.ts'
import { checkedIdentifier, derivedName } from './identifier.ts'

const checkedOrder = caseChecker('the direction of a column in an index', Orders)

/** A column of an index: its name, or its name and direction. */
export type IndexColumn = string | readonly [name: string, order: Orders]

/** Options of an index. */
export interface IndexOptions {
  /** Forbids duplicate values. @default false */
  readonly unique?: boolean
  /** @default `<table>_<columns>_index`, or `…_unique` */
  readonly name?: string
}

/** The complete definition of an index. */
export interface IndexDefinition {
  readonly name: string
  readonly table: string
  readonly columns: readonly { readonly name: string; readonly order: Orders }[]
  readonly isUnique: boolean
}

/**
 * Builds an index definition.
 * @throws InvalidArgumentException without columns, or for a duplicate column or unknown direction.
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
      `an index of ${table} needs at least one column, each only once, got ${JSON.stringify(names)}`,
    )
  }
  return {
    name: checkedIdentifier(name ?? derivedName(table, names, unique ? 'unique' : 'index')),
    table: checkedIdentifier(table),
    columns: parts,
    isUnique: unique,
  }
}
