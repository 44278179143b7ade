import type { StandardSchema } from '../../../base/schema/standard-schema.ts'
import type { ErrorCode } from '../../../base/error-codes.ts'
import { InvalidArgumentException } from '../../../base/errors.ts'

/** The type of a column, independent of the database. */
export type ColumnKind =
  | 'integer'
  | 'safe-integer'
  | 'bigint'
  | 'decimal'
  | 'float'
  | 'boolean'
  | 'text'
  | 'uuid'
  | 'enumeration'
  | 'date'
  | 'time'
  | 'timestamp'
  | 'exact-timestamp'
  | 'json'
  | 'bytes'

/** A column in a statement. */
export interface ColumnReference {
  /** Name in SQL. */
  readonly name: string
  readonly kind: ColumnKind
  readonly isNullable: boolean
  /** Digits of a decimal: in total, and after the point. */
  readonly precision: number
  readonly scale: number
  /** The texts that an enumeration may have. */
  readonly members?: readonly string[]
  /** Checks the documents of a JSON column. */
  readonly schema?: StandardSchema | null
}

/** What happens to a row when the row it refers to is deleted. */
export type OnDelete = 'restrict' | 'cascade' | 'set null'

/** The column of another table that a column refers to. */
export interface ColumnTarget {
  readonly table: string
  readonly column: string
  readonly onDelete: OnDelete
}

/** The value for an insert that omits the column. */
export type ColumnDefault =
  | { readonly type: 'value'; readonly value: unknown }
  | { readonly type: 'now' }

/** The complete definition of a column. */
export interface ColumnDefinition extends ColumnReference {
  /** Maximum number of characters or bytes; null for no limit. */
  readonly length: number | null
  /** Whether a text has exactly `length` characters. */
  readonly isFixed: boolean
  /** Whether it is auto-incremented. */
  readonly isIdentity: boolean
  readonly isUnique: boolean
  readonly default: ColumnDefault | null
  readonly target: ColumnTarget | null
}

/** The SQL name of a property: `createdAt` becomes `created_at`. */
export function snakeCase(property: string): string {
  return property
    .replaceAll(/(?<=[a-z0-9])[A-Z]|[A-Z](?=[a-z])(?<!^.)/g, (letter) => `_${letter}`)
    .toLowerCase()
}

const maxMemberLength = 255

/**
 * A copy of the texts of an enumeration.
 * @throws InvalidArgumentException without any, or for one that no database could tell from others.
 */
export function checkedMembers(members: readonly string[], code: ErrorCode): readonly string[] {
  const list: readonly unknown[] = Array.isArray(members) ? members : []
  const texts = list.filter(isMember)
  if (list.length > 0 && texts.length === list.length && new Set(texts).size === list.length) {
    return Object.freeze(texts)
  }
  throw new InvalidArgumentException(
    code,
    `an enumeration takes a list of different texts of 1 to ${maxMemberLength} characters, as in ['draft', 'live'], got ${described(list)}`,
  )
}

function isMember(value: unknown): value is string {
  return (
    typeof value === 'string' &&
    value !== '' &&
    value.length <= maxMemberLength &&
    value.isWellFormed() &&
    !value.includes('\0')
  )
}

function described(list: readonly unknown[]): string {
  if (list.length === 0) return 'none'
  const odd = list.find((value) => !isMember(value))
  if (odd === undefined) return 'one twice'
  return typeof odd === 'string' ? 'one that is empty, too long or not storable' : typeof odd
}
