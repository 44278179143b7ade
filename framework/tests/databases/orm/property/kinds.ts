import {
  bigint,
  boolean,
  bytes,
  date,
  decimal,
  enumeration,
  exactTimestamp,
  float,
  integer,
  json,
  safeInteger,
  text,
  time,
  timestamp,
  uuid,
} from '../../../../src/orm/entity/column.ts'
import type { Column } from '../../../../src/orm/entity/column.ts'
import type { Dialects } from '../../../../src/database/sql/dialects/dialect.ts'

/** What the tests must know about a kind of column, without asking the code under test. */
export interface Kind {
  readonly column: () => Column<unknown, false, false>
  /** Its type in each database. */
  readonly types: Readonly<Record<Dialects, string>>
  /** Few values, so that rows tie and filters find something, and awkward ones among them. */
  readonly pool: readonly unknown[]
  /** What a filter can do with it; JSON is only NULL or not. */
  readonly use: 'compared' | 'matched' | 'boolean' | 'null-only'
  /** Whether a cursor can hold its values. */
  readonly walks: boolean
  /** How two values sort. */
  readonly compare: (one: unknown, other: unknown) => number
  /** A value as a literal of SQL. */
  readonly literal: (value: unknown, dialect: Dialects) => string
}

const number = (value: unknown): string => asText(value)

/** The kinds of columns by name. */
export type KindName =
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
  | 'bytes'
  | 'json'

/** What is known about each kind. */
export const kinds: Readonly<Record<KindName, Kind>> = {
  integer: {
    column: integer,
    types: alike('INTEGER'),
    pool: [0, 1, 2, -1, 3, 2_147_483_647, -2_147_483_648],
    use: 'compared',
    walks: true,
    compare: byValue,
    literal: number,
  },
  'safe-integer': {
    column: safeInteger,
    types: { sqlite: 'INTEGER', postgres: 'BIGINT', mariadb: 'BIGINT' },
    pool: [0, 1, -1, 3_000_000_000, Number.MAX_SAFE_INTEGER, Number.MIN_SAFE_INTEGER],
    use: 'compared',
    walks: true,
    compare: byValue,
    literal: number,
  },
  bigint: {
    column: bigint,
    types: { sqlite: 'INTEGER', postgres: 'BIGINT', mariadb: 'BIGINT' },
    pool: [0n, 1n, -1n, 2n ** 53n, 2n ** 53n + 1n, 2n ** 63n - 1n, -(2n ** 63n)],
    use: 'compared',
    walks: true,
    compare: byValue,
    literal: number,
  },
  decimal: {
    column: () => decimal({ precision: 12, scale: 3 }),
    types: alike('DECIMAL(12,3)'),
    pool: ['0.000', '0.100', '0.200', '0.300', '-1.005', '10.000', '9.999', '123456789.123'],
    use: 'compared',
    walks: true,
    compare: (one, other) => byValue(digits(one), digits(other)),
    literal: number,
  },
  float: {
    column: float,
    types: { sqlite: 'REAL', postgres: 'DOUBLE PRECISION', mariadb: 'DOUBLE' },
    pool: [0, 0.1, 0.2, 0.300_000_000_000_000_04, -1.5, 1e300, 3],
    use: 'compared',
    walks: true,
    compare: byValue,
    literal: (value) => Number(value).toExponential(),
  },
  boolean: {
    column: boolean,
    types: { sqlite: 'INTEGER', postgres: 'BOOLEAN', mariadb: 'TINYINT(1)' },
    pool: [false, true],
    use: 'boolean',
    walks: true,
    compare: byValue,
    literal: (value) => (value === true ? 'TRUE' : 'FALSE'),
  },
  text: {
    column: text,
    types: { sqlite: 'TEXT', postgres: 'TEXT', mariadb: 'VARCHAR(60)' },
    pool: texts(),
    use: 'matched',
    walks: true,
    compare: byBytes,
    literal: textLiteral,
  },
  uuid: {
    column: uuid,
    types: { sqlite: 'TEXT', postgres: 'UUID', mariadb: 'CHAR(36)' },
    pool: [
      '00000000-0000-0000-0000-000000000000',
      '019c1a2b-7c3d-7e4f-8a5b-6c7d8e9f0a1b',
      '019c1a2b-7c3d-7e4f-8a5b-6c7d8e9f0a1c',
      'ffffffff-ffff-4fff-bfff-ffffffffffff',
      '9c5b94b1-35ad-49bb-b118-8e8fc24abf80',
    ],
    use: 'compared',
    walks: true,
    compare: byBytes,
    literal: textLiteral,
  },
  enumeration: {
    column: () => enumeration(['live', 'draft', 'Gone', 'é']),
    // Not in the order of their texts, in which they have to be sorted and compared.
    types: {
      sqlite: 'TEXT',
      postgres: 'VARCHAR(20)',
      mariadb: "ENUM('live', 'draft', 'Gone', 'é')",
    },
    pool: ['live', 'draft', 'Gone', 'é'],
    use: 'compared',
    walks: true,
    compare: byBytes,
    literal: textLiteral,
  },
  date: {
    column: date,
    types: { sqlite: 'TEXT', postgres: 'DATE', mariadb: 'DATE' },
    pool: ['2026-01-31', '2024-02-29', '1999-12-31', '0001-01-01', '9999-12-31'],
    use: 'compared',
    walks: true,
    compare: byBytes,
    literal: textLiteral,
  },
  time: {
    column: time,
    types: { sqlite: 'TEXT', postgres: 'TIME(0)', mariadb: 'TIME' },
    pool: ['00:00:00', '12:30:00', '12:30:01', '23:59:59', '09:05:00'],
    use: 'compared',
    walks: true,
    compare: byBytes,
    literal: textLiteral,
  },
  timestamp: {
    column: timestamp,
    types: { sqlite: 'TEXT', postgres: 'TIMESTAMPTZ', mariadb: 'DATETIME(6)' },
    pool: ['2026-01-31T12:00:00.000Z', '2026-01-31T12:00:00.001Z', '1999-12-31T23:59:59.999Z'].map(
      (moment) => new Date(moment),
    ),
    use: 'compared',
    walks: true,
    compare: byValue,
    literal: (value, dialect) =>
      momentLiteral(value instanceof Date ? dateDigits(value) : '', dialect),
  },
  'exact-timestamp': {
    column: exactTimestamp,
    types: { sqlite: 'TEXT', postgres: 'TIMESTAMPTZ', mariadb: 'DATETIME(6)' },
    pool: [
      '2026-01-31 12:00:00.000000',
      '2026-01-31 12:00:00.000001',
      '2026-01-31 12:00:00.001000',
      '1999-12-31 23:59:59.999999',
    ],
    use: 'compared',
    walks: true,
    compare: byBytes,
    literal: momentLiteral,
  },
  bytes: {
    column: bytes,
    types: { sqlite: 'BLOB', postgres: 'BYTEA', mariadb: 'VARBINARY(20)' },
    pool: [[], [0], [0, 1], [255], [97], [1, 0]].map((list) => Uint8Array.from(list)),
    use: 'compared',
    walks: false,
    compare: (one, other) => Buffer.compare(bytesIn(one), bytesIn(other)),
    literal: (value, dialect) => {
      const hex = bytesIn(value).toString('hex')
      return dialect === 'postgres' ? `'\\x${hex}'::bytea` : `x'${hex}'`
    },
  },
  json: {
    column: json,
    types: { sqlite: 'TEXT', postgres: 'JSONB', mariadb: 'JSON' },
    pool: [{}, [], 1, 'text', true, { a: [1, { b: null }] }, { 'it\'s "': '\\n\n' }],
    use: 'null-only',
    walks: false,
    compare: () => 0,
    literal: (value, dialect) => textLiteral(JSON.stringify(value), dialect),
  },
}

/** A number or a text as text. */
export function asText(value: unknown): string {
  if (typeof value === 'string') return value
  if (typeof value === 'number' || typeof value === 'bigint') return String(value)
  throw new TypeError(`${typeof value} is neither a number nor a text`)
}

function alike(type: string): Readonly<Record<Dialects, string>> {
  return { sqlite: type, postgres: type, mariadb: type }
}

// Letters outside ASCII have one case here: what is the same letter differs between databases.
function texts(): readonly string[] {
  return [
    'a',
    'A',
    'ab',
    'aB%',
    '',
    ' ',
    'a ',
    'b_',
    "it's",
    '\\',
    'a\\b',
    '!a',
    'é',
    'e',
    '日本',
    '😀',
  ]
}

function byValue(one: unknown, other: unknown): number {
  const [left, right] = [comparable(one), comparable(other)]
  return left < right ? -1 : left > right ? 1 : 0
}

function comparable(value: unknown): number | bigint {
  if (typeof value === 'bigint' || typeof value === 'number') return value
  if (value instanceof Date) return value.getTime()
  if (typeof value === 'boolean') return Number(value)
  throw new TypeError(`${typeof value} has no order by value`)
}

// In UTF-8 the order of bytes is that of characters.
function byBytes(one: unknown, other: unknown): number {
  return Buffer.compare(Buffer.from(asText(one)), Buffer.from(asText(other)))
}

/** The digits of a decimal, without the point; all of a column have the same scale. */
export function digits(value: unknown): bigint {
  return BigInt(asText(value).replace('.', ''))
}

function bytesIn(value: unknown): Buffer {
  if (value instanceof Uint8Array) return Buffer.from(value)
  throw new TypeError('these are no bytes')
}

function textLiteral(value: unknown, dialect: Dialects): string {
  const quoted = asText(value).replaceAll("'", "''")
  return `'${dialect === 'mariadb' ? quoted.replaceAll('\\', '\\\\') : quoted}'`
}

function momentLiteral(value: unknown, dialect: Dialects): string {
  return dialect === 'postgres' ? `'${asText(value)}+00'::timestamptz` : `'${asText(value)}'`
}

function dateDigits(value: Date): string {
  return value.toISOString().replace('T', ' ').replace('Z', '000')
}
