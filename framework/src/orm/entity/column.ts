import { timeOrderedUuid } from '../../base/crypto/time-ordered-uuid.ts'
import { InvalidArgumentException } from '../../base/errors.ts'
import { isStandardSchema } from '../../base/schema/standard-schema.ts'
import type { SchemaOutput, StandardSchema } from '../../base/schema/standard-schema.ts'
import { checkedMembers } from '../../database/sql/plan/column-reference.ts'
import type { ColumnKind } from '../../database/sql/plan/column-reference.ts'
import { epochMs } from '../../base/time/epoch-seconds.ts'

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
  /** The texts that an enumeration may have. */
  readonly members: readonly string[]
  /** Checks the documents of a JSON column. */
  readonly schema: StandardSchema | null
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
  out Kind extends ColumnKind = ColumnKind,
> {
  readonly kind: Kind
  readonly options: ColumnOptions
  // Types only; these properties never exist at run time.
  declare readonly type: T
  declare readonly optionalOnInsert: Optional
  declare readonly key: Key

  constructor(kind: Kind, options: Partial<ColumnOptions>) {
    this.kind = kind
    this.options = { ...defaults, ...options }
  }

  /** The same column, nullable. */
  nullable(): Column<T | null, true, Key, Kind> {
    if (this.options.isKey) {
      throw new InvalidArgumentException('E_ENTITY', 'a key column cannot be nullable')
    }
    return new Column(this.kind, { ...this.options, isNullable: true, isOptional: true })
  }

  /** The same column, which an insert may omit because the database has a default. */
  optional(): Column<T, true, Key, Kind> {
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
  members: [],
  schema: null,
  generate: null,
  renewal: null,
}

/** An integer of 32 bits. A larger one is an error when it is written, and when it is read. */
export function integer(name?: string): Column<number, false, false, 'integer'> {
  return new Column('integer', named(name))
}

/**
 * An integer of at most 53 bits, all that a `number` represents exactly. Reading a larger one throws
 * instead of losing digits.
 */
export function safeInteger(name?: string): Column<number, false, false, 'safe-integer'> {
  return new Column('safe-integer', named(name))
}

/** A 64-bit integer: a `bigint` in TypeScript, a string in JSON. */
export function bigint(name?: string): Column<bigint, false, false, 'bigint'> {
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
): Column<string, false, false, 'decimal'> {
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
export function float(name?: string): Column<number, false, false, 'float'> {
  return new Column('float', named(name))
}

/** True or false. */
export function boolean(name?: string): Column<boolean, false, false, 'boolean'> {
  return new Column('boolean', named(name))
}

/** A text. */
export function text(name?: string): Column<string, false, false, 'text'> {
  return new Column('text', named(name))
}

/** A UUID as text in lower case. One in upper case is accepted and stored in lower case. */
export function uuid(name?: string): Column<string, false, false, 'uuid'> {
  return new Column('uuid', named(name))
}

/**
 * One of a few texts: `enumeration(['draft', 'live'])`. It is ordered and compared as text, also on a
 * database with a type of its own for it.
 * @throws InvalidArgumentException without members, or for a member that is empty, too long or twice
 * in the list.
 */
export function enumeration<const Members extends readonly string[]>(
  members: Members,
  name?: string,
): Column<Members[number], false, false, 'enumeration'> {
  return new Column('enumeration', { ...named(name), members: checkedMembers(members, 'E_ENTITY') })
}

/** A day without a time, as text: `'2026-01-31'`. Days compare and sort as texts do. */
export function date(name?: string): Column<string, false, false, 'date'> {
  return new Column('date', named(name))
}

/** A time of the day without a date or zone, as text: `'12:30:00'`. */
export function time(name?: string): Column<string, false, false, 'time'> {
  return new Column('time', named(name))
}

/**
 * A point in time, as a `Date`. The database stores microseconds: cursors and orders respect them,
 * the `Date` drops them. In a filter it stands for its whole millisecond, so that it finds the row
 * it was read from.
 */
export function timestamp(name?: string): Column<Date, false, false, 'timestamp'> {
  return new Column('timestamp', named(name))
}

/** A point in time with microseconds, as UTC text: `'2026-01-31 12:00:00.123456'`. */
export function exactTimestamp(name?: string): Column<string, false, false, 'exact-timestamp'> {
  return new Column('exact-timestamp', named(name))
}

/**
 * A JSON document. With a schema of any library that implements Standard Schema, `json(Settings)`, it
 * is checked when it is written and when it is read; otherwise nothing checks that it is a `T`.
 * @throws InvalidArgumentException for something that is neither a schema nor a name.
 */
export function json<const Schema extends StandardSchema>(
  schema: Schema,
  name?: string,
): Column<SchemaOutput<Schema>, false, false, 'json'>
export function json<T = unknown>(name?: string): Column<T, false, false, 'json'>
export function json(first?: unknown, name?: string): Column<unknown, false, false, 'json'> {
  if (isStandardSchema(first)) return new Column('json', { ...named(name), schema: first })
  if (first === undefined || typeof first === 'string') return new Column('json', named(first))
  throw new InvalidArgumentException(
    'E_ENTITY',
    `json() takes a schema that implements Standard Schema, or the name of the column, got ${typeof first}`,
  )
}

/** Bytes. */
export function bytes(name?: string): Column<Uint8Array, false, false, 'bytes'> {
  return new Column('bytes', named(name))
}

/**
 * The primary key. Unless an insert provides one, the database generates numeric keys, and the
 * repository a `uuid` (version 7, which starts with the time). `integer` has at most 53 bits.
 */
export const key = {
  integer: (name?: string): Column<number, true, true, 'safe-integer'> =>
    new Column('safe-integer', { ...named(name), isKey: true, isOptional: true }),
  bigint: (name?: string): Column<bigint, true, true, 'bigint'> =>
    new Column('bigint', { ...named(name), isKey: true, isOptional: true }),
  uuid: (name?: string): Column<string, true, true, 'uuid'> =>
    new Column('uuid', {
      ...named(name),
      isKey: true,
      isOptional: true,
      generate: timeOrderedUuid,
    }),
  text: (name?: string): Column<string, false, true, 'text'> =>
    new Column('text', { ...named(name), isKey: true }),
} as const
Object.freeze(key)

/**
 * The time at which a row was inserted, to the millisecond by the clock of this process. An insert
 * may provide another one.
 */
export function createdAt(name?: string): Column<Date, true, false, 'timestamp'> {
  return new Column('timestamp', { ...named(name), isOptional: true, generate: now })
}

/**
 * The time at which a row was last written through a repository, to the millisecond by the clock of
 * this process. A call may provide another one.
 */
export function updatedAt(name?: string): Column<Date, true, false, 'timestamp'> {
  return new Column('timestamp', {
    ...named(name),
    isOptional: true,
    generate: now,
    renewal: 'now',
  })
}

/**
 * Counts the updates of a row, from 1. An `update` that gives the version it has read fails with a
 * `StaleRowError` if the row was updated since.
 */
export function version(name?: string): Column<number, true, false, 'integer'> {
  return new Column('integer', {
    ...named(name),
    isOptional: true,
    generate: () => 1,
    renewal: 'count',
  })
}

function named(name: string | undefined): Pick<ColumnOptions, 'name'> {
  return { name: name ?? null }
}

function now(): Date {
  return new Date(epochMs())
}
