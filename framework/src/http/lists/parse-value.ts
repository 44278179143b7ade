import type { JsonSchema } from '../../base/schema/json-schema.ts'
import type { EntityColumn } from '../../orm/entity/entity.ts'
import type { ColumnKind } from '../../database/sql/plan/column-reference.ts'
import { fitsInt64, isMember, uuidText } from '../../database/sql/values/bindable.ts'
import { fitsDecimal } from '../../database/sql/values/decimal.ts'
import {
  isDayText,
  momentDigits,
  momentMs,
  parseMoment,
  timeText,
} from '../../database/sql/values/moment.ts'

/** Where a value stands in a range. A day is its first moment, or as the end of a range its last. */
export type RangeEnd = 'start' | 'end'

/** How values of one kind are read from an address. */
export interface ValueParser {
  /** The value of a text; undefined if it is none. */
  readonly parse: (text: string, column: EntityColumn, end: RangeEnd) => unknown
  /** What a text must be: `a whole number`. */
  readonly expects: (column: EntityColumn) => string
  /** Describes the texts. */
  readonly schema: (column: EntityColumn) => JsonSchema
}

/** How values of a column are read; null for a kind that no address can hold. */
export function valueParser({ kind }: EntityColumn): ValueParser | null {
  return parsers[kind]
}

/** Reads `1`, `true` and `on`, `0` and `false`; null for anything else. */
export function parseSwitch(text: string): boolean | null {
  if (text === '1' || text === 'true' || text === 'on') return true
  return text === '0' || text === 'false' ? false : null
}

const moment: JsonSchema = {
  type: 'string',
  description: 'A day, or a time in UTC or with an offset.',
  examples: ['2026-01-31', '2026-01-31T12:00:00Z'],
}
const expectsMoment = (): string => 'a day or a time, such as 2026-01-31 or 2026-01-31T12:00:00Z'

// Beyond 32 bits a number is no mistake in a filter: it finds nothing.
const wholeNumber: ValueParser = {
  parse: parseInteger,
  expects: () => 'a whole number',
  schema: () => ({ type: 'integer' }),
}

const parsers: Readonly<Record<ColumnKind, ValueParser | null>> = {
  integer: wholeNumber,
  'safe-integer': wholeNumber,
  bigint: {
    parse: parseBigint,
    expects: () => 'a whole number of at most 64 bits',
    schema: () => ({ type: 'string', pattern: '^-?[0-9]{1,19}$' }),
  },
  decimal: {
    parse: (text, column) => (fitsDecimal(text, column) ? text : undefined),
    expects: ({ precision, scale }) =>
      `a decimal number with at most ${precision - scale} digits before the point and ${scale} after it`,
    schema: ({ precision, scale }) => ({
      type: 'string',
      pattern: `^-?[0-9]{1,${precision - scale}}${scale === 0 ? '' : `(\\.[0-9]{1,${scale}})?`}$`,
    }),
  },
  float: {
    parse: parseFloating,
    expects: () => 'a number',
    schema: () => ({ type: 'number' }),
  },
  boolean: {
    parse: (text) => parseSwitch(text) ?? undefined,
    expects: () => 'true or false',
    schema: () => ({ type: 'boolean' }),
  },
  text: {
    parse: (text) => (text.isWellFormed() && !text.includes('\0') ? text : undefined),
    expects: () => 'a text without NUL',
    schema: () => ({ type: 'string' }),
  },
  uuid: {
    parse: (text) => uuidText(text) ?? undefined,
    expects: () => 'a UUID',
    schema: () => ({ type: 'string', format: 'uuid' }),
  },
  enumeration: {
    parse: (text, { members = [] }) => (isMember(text, members) ? text : undefined),
    expects: ({ members = [] }) => `one of ${members.join(', ')}`,
    schema: ({ members = [] }) => ({ type: 'string', enum: members }),
  },
  date: {
    parse: (text) => (isDayText(text) ? text : undefined),
    expects: () => 'a day such as 2026-01-31',
    schema: () => ({ type: 'string', format: 'date' }),
  },
  time: {
    parse: (text) => timeText(text) ?? undefined,
    expects: () => 'a time such as 12:30:00',
    // The format `time` of JSON Schema has a zone.
    schema: () => ({ type: 'string', pattern: '^([01][0-9]|2[0-3]):[0-5][0-9](:[0-5][0-9])?$' }),
  },
  timestamp: {
    parse: (text, _, end) => parseTime(text, end),
    expects: expectsMoment,
    schema: () => moment,
  },
  'exact-timestamp': {
    parse: (text, _, end) => parseExactTime(text, end),
    expects: expectsMoment,
    schema: () => moment,
  },
  json: null,
  bytes: null,
}

function parseInteger(text: string): number | undefined {
  const value = /^-?\d{1,16}$/.test(text) ? Number(text) : Number.NaN
  return Number.isSafeInteger(value) ? value : undefined
}

function parseBigint(text: string): bigint | undefined {
  if (!/^-?\d{1,19}$/.test(text)) return undefined
  const value = BigInt(text)
  return fitsInt64(value) ? value : undefined
}

function parseFloating(text: string): number | undefined {
  const isNumber = /^-?\d+(?:\.\d+)?(?:[eE][+-]?\d{1,3})?$/.test(text)
  const value = isNumber ? Number(text) : Number.NaN
  return Number.isFinite(value) ? value : undefined
}

function parseTime(text: string, end: RangeEnd): Date | undefined {
  const ms = momentMs(wholeMoment(text, end))
  return Number.isNaN(ms) ? undefined : new Date(ms)
}

function parseExactTime(text: string, end: RangeEnd): string | undefined {
  const parsed = parseMoment(wholeMoment(text, end))
  if (parsed === null || parsed.fraction.length > 6) return undefined
  return momentDigits(parsed)
}

// Browsers send a day for `type="date"`, and a time without seconds for `type="datetime-local"`.
function wholeMoment(text: string, end: RangeEnd): string {
  if (text.length === 10) return `${text} ${end === 'start' ? '00:00:00' : '23:59:59.999999'}`
  return /^[\d-]{10}T\d\d:\d\d$/.test(text) ? `${text}:00` : text
}
