import { InvalidArgumentException } from '../../../base/errors.ts'
import type { ColumnKind } from '../../sql/plan/column-reference.ts'

/** What is known of a column beside its kind. */
export interface ColumnFacts {
  /** Name in SQL; null takes the name of the property in snake case. */
  readonly name: string | null
  readonly isKey: boolean
  readonly isNullable: boolean
  /** Whether an insert may leave it out because the database has a value for it. */
  readonly isOptional: boolean
  /** Digits of a decimal, all of them and those after the point. */
  readonly precision: number
  readonly scale: number
}

/**
 * One column of an entity. `T` is what it holds in TypeScript, `Optional` whether an insert may leave
 * it out.
 */
export class Column<
  out T,
  out Optional extends boolean = boolean,
  out Key extends boolean = boolean,
> {
  readonly kind: ColumnKind
  readonly facts: ColumnFacts
  // Types only; no value ever has them.
  declare readonly type: T
  declare readonly optionalOnInsert: Optional
  declare readonly key: Key

  constructor(kind: ColumnKind, facts: Partial<ColumnFacts>) {
    this.kind = kind
    this.facts = { ...plain, ...facts }
  }

  /** The same column, which may hold NULL. */
  nullable(): Column<T | null, true, Key> {
    if (this.facts.isKey) {
      throw new InvalidArgumentException('E_ENTITY', 'a key column cannot be nullable')
    }
    return new Column(this.kind, { ...this.facts, isNullable: true, isOptional: true })
  }

  /** The same column, which an insert may leave out because the database has a default for it. */
  optional(): Column<T, true, Key> {
    return new Column(this.kind, { ...this.facts, isOptional: true })
  }
}

const plain: ColumnFacts = {
  name: null,
  isKey: false,
  isNullable: false,
  isOptional: false,
  precision: 15,
  scale: 2,
}

/** A whole number of at most 53 bits. Reading a larger one is an error, never a wrong digit. */
export function integer(name?: string): Column<number, false, false> {
  return new Column('integer', named(name))
}

/** A whole number of 64 bits: a `bigint` in TypeScript, a string in JSON. */
export function bigint(name?: string): Column<bigint, false, false> {
  return new Column('bigint', named(name))
}

/** Digits of a decimal column: all of them, and those after the point. */
export interface DecimalOptions {
  readonly precision?: number
  readonly scale?: number
}

/**
 * An exact decimal number, as text: `'19.90'`. Where the database keeps it as a double it has at most
 * 15 digits.
 */
export function decimal(
  options?: DecimalOptions & { readonly name?: string },
): Column<string, false, false> {
  const { precision = plain.precision, scale = plain.scale, name } = options ?? {}
  const fits = Number.isInteger(precision) && Number.isInteger(scale)
  if (!fits || precision < 1 || precision > 65 || scale < 0 || scale > Math.min(precision, 30)) {
    throw new InvalidArgumentException(
      'E_ENTITY',
      `a decimal has 1 to 65 digits, at most 30 of them after the point, got (${precision}, ${scale})`,
    )
  }
  return new Column('decimal', { ...named(name), precision, scale })
}

/** A number with a floating point, of double precision. */
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

/**
 * A moment, as a `Date`. The database may keep microseconds: cursors and orders respect them, the
 * `Date` drops them.
 */
export function timestamp(name?: string): Column<Date, false, false> {
  return new Column('timestamp', named(name))
}

/** A moment with its microseconds, as text in UTC: `'2026-01-31 12:00:00.123456'`. */
export function exactTimestamp(name?: string): Column<string, false, false> {
  return new Column('exact-timestamp', named(name))
}

/** A JSON document. Nothing checks that what is read is a `T`. */
export function json<T = unknown>(name?: string): Column<T, false, false> {
  return new Column('json', named(name))
}

/** Bytes. */
export function bytes(name?: string): Column<Uint8Array, false, false> {
  return new Column('bytes', named(name))
}

/** The primary key. Whole numbers are given by the database unless an insert brings one. */
export const key = {
  integer: (name?: string): Column<number, true, true> =>
    new Column('integer', { ...named(name), isKey: true, isOptional: true }),
  bigint: (name?: string): Column<bigint, true, true> =>
    new Column('bigint', { ...named(name), isKey: true, isOptional: true }),
  text: (name?: string): Column<string, false, true> =>
    new Column('text', { ...named(name), isKey: true }),
} as const
Object.freeze(key)

function named(name: string | undefined): Pick<ColumnFacts, 'name'> {
  return { name: name ?? null }
}
