import { day, momentAt } from '../../i18n/day.ts'
import type { JsonSchema } from '../../base/schema/json-schema.ts'
import type { EntityColumn } from '../../orm/entity/entity.ts'
import type { ColumnKind } from '../../database/sql/plan/column-reference.ts'
import { fitsInt64, isMember, uuidText } from '../../database/sql/values/bindable.ts'
import { fitsDecimal } from '../../database/sql/values/decimal.ts'
import { isDayText, momentDigits, parseMoment, timeText } from '../../database/sql/values/moment.ts'
import type { Moment } from '../../database/sql/values/moment.ts'
import type { ValueRefusal } from './query-reader.ts'

/** What a value depends on besides its text. */
export interface ParseContext {
  /** Where it stands in a range. A day is its first moment, or as the end of a range its last. */
  readonly end: 'start' | 'end'
  /** That of days, and of times without an offset. */
  readonly timeZone: string
}

/** How values of one kind are read from an address. */
export interface ValueParser {
  /** The value of a text; undefined if it is none. */
  readonly parse: (text: string, column: EntityColumn, context: ParseContext) => unknown
  /** What a text must be: `must be a whole number.` */
  readonly refusal: (column: EntityColumn) => ValueRefusal
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
  description:
    'A day, or a time. Without an offset it is in the time zone of the account, or else of the site, which is UTC unless it is set.',
  examples: ['2026-01-31', '2026-01-31T12:00:00Z'],
}
const refuseMoment = (): ValueRefusal => ({
  text: 'must be a day or a time, such as 2026-01-31 or 2026-01-31T12:00:00Z.',
})

// Beyond 32 bits a number is no mistake in a filter: it finds nothing.
const wholeNumber: ValueParser = {
  parse: parseInteger,
  refusal: () => ({ text: 'must be a whole number.' }),
  schema: () => ({ type: 'integer' }),
}

const parsers: Readonly<Record<ColumnKind, ValueParser | null>> = {
  integer: wholeNumber,
  'safe-integer': wholeNumber,
  bigint: {
    parse: parseBigint,
    refusal: () => ({ text: 'must be a whole number of at most 64 bits.' }),
    schema: () => ({ type: 'string', pattern: '^-?[0-9]{1,19}$' }),
  },
  decimal: {
    parse: (text, column) => (fitsDecimal(text, column) ? text : undefined),
    refusal: ({ precision, scale }) => ({
      text: 'must be a decimal number with at most {before} digits before the point and {after} after it.',
      values: { before: precision - scale, after: scale },
    }),
    schema: ({ precision, scale }) => ({
      type: 'string',
      pattern: `^-?[0-9]{1,${precision - scale}}${scale === 0 ? '' : `(\\.[0-9]{1,${scale}})?`}$`,
    }),
  },
  float: {
    parse: parseFloating,
    refusal: () => ({ text: 'must be a number.' }),
    schema: () => ({ type: 'number' }),
  },
  boolean: {
    parse: (text) => parseSwitch(text) ?? undefined,
    refusal: () => ({ text: 'must be true or false.' }),
    schema: () => ({ type: 'boolean' }),
  },
  text: {
    parse: (text) => (text.isWellFormed() && !text.includes('\0') ? text : undefined),
    refusal: () => ({ text: 'must be a text without NUL.' }),
    schema: () => ({ type: 'string' }),
  },
  uuid: {
    parse: (text) => uuidText(text) ?? undefined,
    refusal: () => ({ text: 'must be a UUID.' }),
    schema: () => ({ type: 'string', format: 'uuid' }),
  },
  enumeration: {
    parse: (text, { members = [] }) => (isMember(text, members) ? text : undefined),
    refusal: ({ members = [] }) => ({
      text: 'must be one of {choices}.',
      values: { choices: members.join(', ') },
    }),
    schema: ({ members = [] }) => ({ type: 'string', enum: members }),
  },
  date: {
    parse: (text) => (isDayText(text) ? text : undefined),
    refusal: () => ({ text: 'must be a day such as 2026-01-31.' }),
    schema: () => ({ type: 'string', format: 'date' }),
  },
  time: {
    parse: (text) => timeText(text) ?? undefined,
    refusal: () => ({ text: 'must be a time such as 12:30:00.' }),
    // The format `time` of JSON Schema has a zone.
    schema: () => ({ type: 'string', pattern: '^([01][0-9]|2[0-3]):[0-5][0-9](:[0-5][0-9])?$' }),
  },
  timestamp: {
    parse: (text, _, context) => parseTime(text, context),
    refusal: refuseMoment,
    schema: () => moment,
  },
  'exact-timestamp': {
    parse: (text, _, context) => parseExactTime(text, context),
    refusal: refuseMoment,
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

function parseTime(text: string, context: ParseContext): Date | undefined {
  const parsed = momentIn(text, context)
  if (parsed === null) return undefined
  return new Date(parsed.secondMs + Number(parsed.fraction.slice(0, 3).padEnd(3, '0')))
}

function parseExactTime(text: string, context: ParseContext): string | undefined {
  const parsed = momentIn(text, context)
  return parsed === null || parsed.fraction.length > 6 ? undefined : momentDigits(parsed)
}

// Browsers send a day for `type="date"`, and a time without seconds for `type="datetime-local"`.
function momentIn(text: string, { end, timeZone }: ParseContext): Moment | null {
  const isDay: boolean = isDayText(text)
  if (isDay) {
    const { start, end: next } = day(text, timeZone)
    if (end === 'start') return momentFrom(Math.max(start.getTime(), firstMs), '')
    return momentFrom(Math.min(next.getTime() - 1000, lastMs), '999999')
  }
  const parsed = parseMoment(/^[\d-]{10}T\d\d:\d\d$/.test(text) ? `${text}:00` : text)
  if (parsed === null || parsed.isZoned) return parsed
  return momentFrom(momentAt(parsed.secondMs, timeZone, end === 'end'), parsed.fraction)
}

function momentFrom(secondMs: number, fraction: string): Moment {
  return { secondMs, fraction, isZoned: true }
}

// The first and the last second that databases have; a day of another zone can reach beyond.
const firstMs = Date.parse('0001-01-01T00:00:00Z')
const lastMs = Date.parse('9999-12-31T23:59:59Z')
