import { InvalidArgumentException } from '../../base/errors.ts'
import type { ColumnKind } from '../sql/plan/column-reference.ts'
import type { ColumnDefinition } from '../sql/plan/column-definition.ts'
import { ColumnBuilder, TimestampBuilder } from './column-builder.ts'
import type { ReferenceOptions } from './column-builder.ts'
import { checkedIdentifier } from './identifier.ts'
import type { IndexColumn, IndexOptions } from './index-definition.ts'

/** How long a text or bytes may be. */
export interface LengthOptions {
  /** Most characters, or bytes. Without it there is no limit, and not every database can put an index on it. */
  readonly length?: number
}

/** Digits of a decimal: all of them, 15 unless given, and those after the point, 2 unless given. */
export interface DigitOptions {
  readonly precision?: number
  readonly scale?: number
}

/** Describes the columns of a table. Each method names a column and gives what can be said about it. */
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

  /** A whole number of 64 bits that the database counts up by itself, as the primary key. */
  key(name: string = 'id'): void {
    this.#add(new ColumnBuilder(column(name, 'bigint', { isIdentity: true })))
    this.primary([name])
  }

  /** A whole number of 32 bits. */
  integer(name: string): ColumnBuilder<number> {
    return this.#add(new ColumnBuilder(column(name, 'integer')))
  }

  /** A whole number of 64 bits. */
  bigint(name: string): ColumnBuilder<bigint | number> {
    return this.#add(new ColumnBuilder(column(name, 'bigint')))
  }

  /** An exact decimal number. Where the database keeps it as a double it has at most 15 digits. */
  decimal(name: string, { precision = 15, scale = 2 }: DigitOptions = {}): ColumnBuilder<string> {
    checkDigits(name, precision, scale)
    return this.#add(new ColumnBuilder(column(name, 'decimal', { precision, scale })))
  }

  /** A number with a floating point, of double precision. */
  float(name: string): ColumnBuilder<number> {
    return this.#add(new ColumnBuilder(column(name, 'float')))
  }

  /** True or false. */
  boolean(name: string): ColumnBuilder<boolean> {
    return this.#add(new ColumnBuilder(column(name, 'boolean')))
  }

  /** A text, of at most `length` characters if that is given. */
  text(name: string, { length }: LengthOptions = {}): ColumnBuilder<string> {
    const limit = length === undefined ? null : checkedLength(name, length)
    return this.#add(new ColumnBuilder(column(name, 'text', { length: limit })))
  }

  /** A text of exactly `length` characters, such as a digest. */
  char(name: string, length: number): ColumnBuilder<string> {
    const limit = checkedLength(name, length, 255)
    return this.#add(new ColumnBuilder(column(name, 'text', { length: limit, isFixed: true })))
  }

  /** A moment, with its microseconds. */
  timestamp(name: string): TimestampBuilder {
    return this.#add(new TimestampBuilder(column(name, 'timestamp')))
  }

  /** A JSON document. */
  json(name: string): ColumnBuilder<unknown> {
    return this.#add(new ColumnBuilder(column(name, 'json')))
  }

  /** Bytes, at most `length` of them if that is given. */
  bytes(name: string, { length }: LengthOptions = {}): ColumnBuilder<Uint8Array> {
    const limit = length === undefined ? null : checkedLength(name, length)
    return this.#add(new ColumnBuilder(column(name, 'bytes', { length: limit })))
  }

  /** The key of a row of another table: `references('author_id', 'users')`. It is indexed. */
  references(
    name: string,
    table: string,
    options?: ReferenceOptions,
  ): ColumnBuilder<bigint | number> {
    return this.bigint(name).references(table, options)
  }

  /** Makes columns the primary key, such as both of a table that joins two others. */
  primary(columns: readonly string[]): void {
    if (this.#primary !== null) throw refused(this.name, 'it has one primary key, got a second')
    this.#primary = columns
  }

  /** Puts an index on columns, in this order. */
  index(columns: readonly IndexColumn[], options: IndexOptions = {}): void {
    this.#indexes.push({ columns, options })
  }

  /** Lets no two rows have the same values in these columns. */
  unique(columns: readonly IndexColumn[], options: Omit<IndexOptions, 'unique'> = {}): void {
    this.index(columns, { ...options, unique: true })
  }

  /** The columns, in the order they were named. */
  get columns(): readonly ColumnDefinition[] {
    return this.#columns.map(({ definition }) => definition)
  }

  /** The columns of the primary key, none if there is none. */
  get primaryColumns(): readonly string[] {
    return this.#primary ?? []
  }

  /** The indexes that were asked for as such. */
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
  facts: Partial<ColumnDefinition> = {},
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
    ...facts,
  }
}

function checkedLength(name: string, length: number, most = 16_383): number {
  if (Number.isInteger(length) && length >= 1 && length <= most) return length
  throw refused(name, `its length is a whole number from 1 to ${most}, got ${length}`)
}

function checkDigits(name: string, precision: number, scale: number): void {
  const whole = Number.isInteger(precision) && Number.isInteger(scale)
  const fits = precision >= 1 && precision <= 65 && scale >= 0 && scale <= Math.min(precision, 30)
  if (whole && fits) return
  throw refused(
    name,
    `a decimal has 1 to 65 digits, at most 30 of them after the point, got (${precision}, ${scale})`,
  )
}

function refused(name: string, reason: string): InvalidArgumentException {
  return new InvalidArgumentException('E_INVALID_ARGUMENT', `${name}: ${reason}`)
}
