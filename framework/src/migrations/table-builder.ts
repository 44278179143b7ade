import { invalidArgument } from '../base/errors.ts'
import type { InvalidArgumentException } from '../base/errors.ts'
import { checkedMembers } from '../database/sql/plan/column-reference.ts'
import type { ColumnDefinition, ColumnKind } from '../database/sql/plan/column-reference.ts'
import { ColumnBuilder, TimestampBuilder } from './column-builder.ts'
import type { ReferenceOptions } from './column-builder.ts'
import { checkedIdentifier } from './identifier.ts'
import type { IndexColumn, IndexOptions } from './index-definition.ts'

/** Options of text and bytes columns. */
export interface LengthOptions {
  /**
   * Maximum number of characters or bytes. @default no limit, which not every database can index
   */
  readonly length?: number
}

/** Digits of a decimal: in total, 15 by default, and after the point, 2 by default. */
export interface DigitOptions {
  readonly precision?: number
  readonly scale?: number
}

/** Describes the columns of a table. Each method adds a column and returns its builder. */
export class TableBuilder {
  readonly name: string
  readonly #columns: ColumnBuilder<never>[] = []
  readonly #indexes: {
    readonly columns: readonly IndexColumn[]
    readonly options: IndexOptions
  }[] = []
  #primary: readonly string[] | null = null

  constructor(name: string) {
    this.name = checkedIdentifier(name)
  }

  /** An auto-incremented 64-bit integer, as the primary key. */
  key(name: string = 'id'): void {
    this.#add(new ColumnBuilder(column(name, 'bigint', { isIdentity: true })))
    this.primary([name])
  }

  /** A 32-bit integer. */
  integer(name: string): ColumnBuilder<number> {
    return this.#add(new ColumnBuilder(column(name, 'integer')))
  }

  /** A 64-bit integer for numbers of at most 53 bits, such as times in milliseconds. */
  safeInteger(name: string): ColumnBuilder<number> {
    return this.#add(new ColumnBuilder(column(name, 'safe-integer')))
  }

  /** A 64-bit integer. */
  bigint(name: string): ColumnBuilder<bigint | number> {
    return this.#add(new ColumnBuilder(column(name, 'bigint')))
  }

  /** An exact decimal number; at most 15 digits on a database that stores it as a double. */
  decimal(name: string, { precision = 15, scale = 2 }: DigitOptions = {}): ColumnBuilder<string> {
    checkDigits(name, precision, scale)
    return this.#add(new ColumnBuilder(column(name, 'decimal', { precision, scale })))
  }

  /** A double-precision floating-point number. */
  float(name: string): ColumnBuilder<number> {
    return this.#add(new ColumnBuilder(column(name, 'float')))
  }

  /** True or false. */
  boolean(name: string): ColumnBuilder<boolean> {
    return this.#add(new ColumnBuilder(column(name, 'boolean')))
  }

  /** A text, of at most `length` characters if given. */
  text(name: string, { length }: LengthOptions = {}): ColumnBuilder<string> {
    const limit = length === undefined ? null : checkedLength(name, length)
    return this.#add(new ColumnBuilder(column(name, 'text', { length: limit })))
  }

  /** A text of exactly `length` characters, such as a digest. */
  char(name: string, length: number): ColumnBuilder<string> {
    const limit = checkedLength(name, length, 255)
    return this.#add(new ColumnBuilder(column(name, 'text', { length: limit, isFixed: true })))
  }

  /** A UUID. As a key: `table.uuid('id')` and `table.primary(['id'])`. */
  uuid(name: string): ColumnBuilder<string> {
    return this.#add(new ColumnBuilder(column(name, 'uuid')))
  }

  /** One of a few texts, with a CHECK: `enumeration('state', ['draft', 'live'])`. */
  enumeration<const Members extends readonly string[]>(
    name: string,
    members: Members,
  ): ColumnBuilder<Members[number]> {
    const checked = checkedMembers(members, 'E_INVALID_ARGUMENT')
    return this.#add(new ColumnBuilder(column(name, 'enumeration', { members: checked })))
  }

  /** A day without a time. */
  date(name: string): ColumnBuilder<string> {
    return this.#add(new ColumnBuilder(column(name, 'date')))
  }

  /** A time of the day, without a date or zone. */
  time(name: string): ColumnBuilder<string> {
    return this.#add(new ColumnBuilder(column(name, 'time')))
  }

  /** A point in time, with microseconds. */
  timestamp(name: string): TimestampBuilder {
    return this.#add(new TimestampBuilder(column(name, 'timestamp')))
  }

  /** A JSON document. */
  json(name: string): ColumnBuilder<unknown> {
    return this.#add(new ColumnBuilder(column(name, 'json')))
  }

  /** Bytes, at most `length` if given. */
  bytes(name: string, { length }: LengthOptions = {}): ColumnBuilder<Uint8Array> {
    const limit = length === undefined ? null : checkedLength(name, length)
    return this.#add(new ColumnBuilder(column(name, 'bytes', { length: limit })))
  }

  /** A foreign key: `references('author_id', 'users')`. It is indexed. */
  references(
    name: string,
    table: string,
    options?: ReferenceOptions,
  ): ColumnBuilder<bigint | number> {
    return this.bigint(name).references(table, options)
  }

  /** Sets the primary key, such as both columns of a join table. */
  primary(columns: readonly string[]): void {
    if (this.#primary !== null) throw invalidTable(this.name, 'it already has a primary key')
    this.#primary = columns
  }

  /** Adds an index on columns in the given order. */
  index(columns: readonly IndexColumn[], options: IndexOptions = {}): void {
    this.#indexes.push({ columns, options })
  }

  /** Forbids rows with the same values in these columns. */
  unique(columns: readonly IndexColumn[], options: Omit<IndexOptions, 'unique'> = {}): void {
    this.index(columns, { ...options, unique: true })
  }

  /** The columns in the order they were added. */
  get columns(): readonly ColumnDefinition[] {
    return this.#columns.map(({ definition }) => definition)
  }

  /** The columns of the primary key; empty if there is none. */
  get primaryColumns(): readonly string[] {
    return this.#primary ?? []
  }

  /** The indexes added with `index` and `unique`. */
  get wantedIndexes(): readonly {
    readonly columns: readonly IndexColumn[]
    readonly options: IndexOptions
  }[] {
    return this.#indexes
  }

  #add<Builder extends ColumnBuilder<never>>(builder: Builder): Builder {
    this.#columns.push(builder)
    return builder
  }
}

function column(
  name: string,
  kind: ColumnKind,
  options: Partial<ColumnDefinition> = {},
): ColumnDefinition {
  return {
    name: checkedIdentifier(name),
    kind,
    isNullable: false,
    precision: 15,
    scale: 2,
    length: null,
    isFixed: false,
    isIdentity: false,
    isUnique: false,
    default: null,
    target: null,
    ...options,
  }
}

function checkedLength(name: string, length: number, max = 16_383): number {
  if (Number.isInteger(length) && length >= 1 && length <= max) return length
  throw invalidTable(name, `its length must be a whole number from 1 to ${max}, got ${length}`)
}

function checkDigits(name: string, precision: number, scale: number): void {
  const whole = Number.isInteger(precision) && Number.isInteger(scale)
  const fits = precision >= 1 && precision <= 65 && scale >= 0 && scale <= Math.min(precision, 30)
  if (whole && fits) return
  throw invalidTable(
    name,
    `a decimal has 1 to 65 digits, at most 30 of them after the point, got (${precision}, ${scale})`,
  )
}

function invalidTable(name: string, reason: string): InvalidArgumentException {
  return invalidArgument(`${name}: ${reason}`)
}
