import { InvalidArgumentException } from '../../../base/errors.ts'
import type { ColumnKind } from '../../sql/plan/column-reference.ts'

/** Options of a column, besides its kind. */
export interface ColumnOptions {
  /** Name in SQL; null for the property name in snake case. */
  readonly name: string | null
  readonly isKey: boolean
  readonly isNullable: boolean
  /** Whether an insert may omit it because the database has a value for it. */
  readonly isOptional: boolean
  /** Digits of a decimal: in total, and after the point. */
  readonly precision: number
  readonly scale: number
  /** Makes the value of an insert that omits the column; null if the database does. */
  readonly generate: (() => unknown) | null
  /** What every update of a row does with it: sets it to the time, or adds one. */
  readonly renewal: ColumnRenewal | null
}

/** What every update of a row does with a column. */
export type ColumnRenewal = 'now' | 'count'

/**
 * One column of an entity. `T` is its TypeScript type, `Optional` whether an insert may omit it.
 */
export class Column<
  out T,
  out Optional extends boolean = boolean,
  out Key extends boolean = boolean,
> {
  readonly kind: ColumnKind
  readonly options: ColumnOptions
  // Types only; these properties never exist at run time.
  declare readonly type: T
  declare readonly optionalOnInsert: Optional
  declare readonly key: Key

  constructor(kind: ColumnKind, options: Partial<ColumnOptions>) {
    this.kind = kind
    this.options = { ...defaults, ...options }
  }

  /** The same column, nullable. */
  nullable(): Column<T | null, true, Key> {
    if (this.options.isKey) {
      throw new InvalidArgumentException('E_ENTITY', 'a key column cannot be nullable')
    }
    return new Column(this.kind, { ...this.options, isNullable: true, isOptional: true })
  }

  /** The same column, which an insert may omit because the database has a default. */
  optional(): Column<T, true, Key> {
    return new Column(this.kind, { ...this.options, isOptional: true })
  }
}

const defaults: ColumnOptions = {
  name: null,
  isKey: false,
  isNullable: false,
  isOptional: false,
  precision: 15,
  scale: 2,
  generate: null,
  renewal: null,
}

/** An integer of at most 53 bits. Reading a larger one throws instead of losing digits. */
export function integer(name?: string): Column<number, false, false> {
  return new Column('integer', named(name))
}

/** A 64-bit integer: a `bigint` in TypeScript, a string in JSON. */
export function bigint(name?: string): Column<bigint, false, false> {
  return new Column('bigint', named(name))
}

/** Digits of a decimal column: in total, and after the point. */
export interface DecimalOptions {
  readonly precision?: number
  readonly scale?: number
}

/**
 * An exact decimal number, as text: `'19.90'`. At most 15 digits on a database that stores it as a
 * double.
 */
export function decimal(
  options?: DecimalOptions & { readonly name?: string },
): Column<string, false, false> {
  const { precision = defaults.precision, scale = defaults.scale, name } = options ?? {}
  const fits = Number.isInteger(precision) && Number.isInteger(scale)
  if (!fits || precision < 1 || precision > 65 || scale < 0 || scale > Math.min(precision, 30)) {
    throw new InvalidArgumentException(
      'E_ENTITY',
      `a decimal has 1 to 65 digits, at most 30 of them after the point, got (${precision}, ${scale})`,
    )
  }
  return new Column('decimal', { ...named(name), precision, scale })
}

/** A double-precision floating-point number. */
export function float(name?: string): Column<number, false, false> {
  return new Column('float', named(name))
}

/** True or false. */
export function boolean(name?: string): Column<boolean, false, false> {
  return new Column('boolean', named(name))
}

/** A text. */
export function text(name?: string): Column<string, false, false> {
  return new Column('text', named(name))
}

/** A day without a time, as text: `'2026-01-31'`. Days compare and sort as texts do. */
export function date(name?: string): Column<string, false, false> {
  return new Column('date', named(name))
}

/**
 * A point in time, as a `Date`. The database may store microseconds: cursors and orders respect
 * them, the `Date` drops them.
 */
export function timestamp(name?: string): Column<Date, false, false> {
  return new Column('timestamp', named(name))
}

/** A point in time with microseconds, as UTC text: `'2026-01-31 12:00:00.123456'`. */
export function exactTimestamp(name?: string): Column<string, false, false> {
  return new Column('exact-timestamp', named(name))
}

/** A JSON document. Nothing checks that a value read is a `T`. */
export function json<T = unknown>(name?: string): Column<T, false, false> {
  return new Column('json', named(name))
}

/** Bytes. */
export function bytes(name?: string): Column<Uint8Array, false, false> {
  return new Column('bytes', named(name))
}

/** The primary key. The database generates numeric keys unless an insert provides one. */
export const key = {
  integer: (name?: string): Column<number, true, true> =>
    new Column('integer', { ...named(name), isKey: true, isOptional: true }),
  bigint: (name?: string): Column<bigint, true, true> =>
    new Column('bigint', { ...named(name), isKey: true, isOptional: true }),
  text: (name?: string): Column<string, false, true> =>
    new Column('text', { ...named(name), isKey: true }),
} as const
Object.freeze(key)

function named(name: string | undefined): Pick<ColumnOptions, 'name'> {
  return { name: name ?? null }
}
