import { isoText } from '../../../base/time/iso-text.ts'

/** A timestamp that a database wrote as text. */
export interface Moment {
  /** Its whole second, in milliseconds since 1970 UTC. */
  readonly secondMs: number
  /** The fractional digits as written; '' without. */
  readonly fraction: string
  /** Whether the text has a UTC offset; without one it is UTC. */
  readonly isZoned: boolean
}

/**
 * A `Date` as databases compare it: UTC with six fractional digits. Null if it has no such text.
 */
export function momentText(date: Date): string | null {
  const time = date.getTime()
  if (!(time >= firstMs && time <= lastMs)) return null
  const iso = isoText(date)
  return `${iso.slice(0, 10)} ${iso.slice(11, 23)}000`
}

/**
 * Parses `2026-01-31 12:00:00`, with a fraction of up to nine digits, a `T` in place of the space,
 * and `Z` or an offset such as `+00` or `-03:30`. Null for anything else, including invalid dates.
 */
export function parseMoment(text: string): Moment | null {
  const end = fractionEnd(text)
  const secondMs = secondOf(text, end)
  if (Number.isNaN(secondMs)) return null
  return { secondMs, fraction: text.slice(20, end), isZoned: end !== text.length }
}

/**
 * The same in milliseconds since 1970, dropping finer digits; NaN for anything else. It may run for
 * every row of a page, so it allocates nothing.
 */
export function momentMs(text: string): number {
  const end = fractionEnd(text)
  const secondMs = secondOf(text, end)
  if (end <= 20) return secondMs
  const tenths = digit(text, 20)
  const hundredths = end > 21 ? digit(text, 21) : 0
  const thousandths = end > 22 ? digit(text, 22) : 0
  return secondMs + tenths * 100 + hundredths * 10 + thousandths
}

/** Whether a value is a day of the calendar as text: `2026-01-31`. */
export function isDayText(value: unknown): value is string {
  return (
    typeof value === 'string' && value.length === 10 && !Number.isNaN(momentMs(`${value} 00:00:00`))
  )
}

/**
 * A time of the day as databases write it, `12:30:00`; the seconds may be missing. Null for
 * anything else, such as a time with a fraction.
 */
export function timeText(value: unknown): string | null {
  if (typeof value !== 'string' || !timeOfDay.test(value)) return null
  return value.length === 5 ? `${value}:00` : value
}

/** The millisecond of a `Date`, for comparisons with columns that store microseconds. */
export interface Millisecond {
  /** Where it begins. Without trailing zeros, so that as a text too it is not after `…:00`. */
  readonly start: string
  /** Where the next one begins; null for the last one that databases have. */
  readonly end: string | null
}

/** The millisecond of a `Date` as texts. Null if a database cannot have it. */
export function millisecondOf(date: Date): Millisecond | null {
  const time = date.getTime()
  if (!(time >= firstMs && time <= lastMs)) return null
  return { start: shortText(time), end: time === lastMs ? null : shortText(time + 1) }
}

function shortText(time: number): string {
  const iso = isoText(new Date(time))
  const seconds = `${iso.slice(0, 10)} ${iso.slice(11, 19)}`
  return time % 1000 === 0 ? seconds : seconds + iso.slice(19, 23).replace(/0+$/, '')
}

/** A timestamp in UTC with exactly six fractional digits. */
export function momentDigits({ secondMs, fraction }: Moment): string {
  const iso = isoText(new Date(secondMs))
  return `${iso.slice(0, 10)} ${iso.slice(11, 19)}.${fraction.slice(0, 6).padEnd(6, '0')}`
}

const firstMs = Date.parse('0001-01-01T00:00:00.000Z')
const lastMs = Date.parse('9999-12-31T23:59:59.999Z')
const timeOfDay = /^(?:[01]\d|2[0-3]):[0-5]\d(?::[0-5]\d)?$/
const longMonths = new Set([1, 3, 5, 7, 8, 10, 12])
const maxFraction = 9
/** Days from the first of March of the year 0 to 1970. */
const daysTo1970 = 719_468
const [hyphen, space, letterT, colon, point] = [0x2d, 0x20, 0x54, 0x3a, 0x2e]

// The whole second of a text whose fraction ends at `end`; NaN if it is not a timestamp.
function secondOf(text: string, end: number): number {
  if (end === 0) return Number.NaN
  const century = pair(text, 0)
  const yearOfCentury = pair(text, 2)
  const month = pair(text, 5)
  const day = pair(text, 8)
  const hour = pair(text, 11)
  const minute = pair(text, 14)
  const second = pair(text, 17)
  if (century < 0 || yearOfCentury < 0 || hour < 0 || minute < 0 || second < 0) return Number.NaN
  const year = century * 100 + yearOfCentury
  if (!hasSeparators(text) || !isDay(year, month, day)) return Number.NaN
  if (hour > 23 || minute > 59 || second > 59) return Number.NaN
  const offset = end === text.length ? 0 : offsetOf(text, end)
  const seconds = hour * 3600 + minute * 60 + second - offset
  return dayNumber(year, month, day) * 86_400_000 + seconds * 1000
}

// Digit by digit: regular expressions take five times as long, and Date.UTC maps the years 0 to 99
// to 1900 to 1999.
function digit(text: string, at: number): number {
  const value = text.charCodeAt(at) - 48
  return value >= 0 && value <= 9 ? value : -1
}

// -1 unless both are digits.
function pair(text: string, at: number): number {
  const tens = digit(text, at)
  const ones = digit(text, at + 1)
  return tens < 0 || ones < 0 ? -1 : tens * 10 + ones
}

function hasSeparators(text: string): boolean {
  const between = text.charCodeAt(10)
  return (
    text.charCodeAt(4) === hyphen &&
    text.charCodeAt(7) === hyphen &&
    (between === space || between === letterT) &&
    text.charCodeAt(13) === colon &&
    text.charCodeAt(16) === colon
  )
}

// Days since 1970. The year starts in March, so that the leap day is its last.
function dayNumber(year: number, month: number, day: number): number {
  const isAfterFebruary = month > 2
  const years = isAfterFebruary ? year : year - 1
  const months = isAfterFebruary ? month - 3 : month + 9
  const leapDays = Math.floor(years / 4) - Math.floor(years / 100) + Math.floor(years / 400)
  const daysBefore = Math.floor((153 * months + 2) / 5)
  return years * 365 + leapDays + daysBefore + day - 1 - daysTo1970
}

function isDay(year: number, month: number, day: number): boolean {
  if (!(year >= 1 && month >= 1 && month <= 12 && day >= 1 && day <= 31)) return false
  if (day <= 28) return true
  if (month !== 2) return day <= 30 || longMonths.has(month)
  const isLeap = year % 4 === 0 && (year % 100 !== 0 || year % 400 === 0)
  return isLeap && day === 29
}

// Where the fraction ends; 0 for a point without digits or with too many, or a text that is too
// short. It never reads beyond the end: charCodeAt would return NaN and deoptimize the callers.
function fractionEnd(text: string): number {
  const { length } = text
  if (length < 20) return length === 19 ? 19 : 0
  if (text.charCodeAt(19) !== point) return 19
  let end = 20
  while (end < length && digit(text, end) >= 0) end += 1
  return end === 20 || end > 20 + maxFraction ? 0 : end
}

// Seconds east of UTC from the rest of the text; NaN if it is not an offset.
function offsetOf(text: string, from: number): number {
  const rest = text.slice(from)
  if (rest === '+00' || rest === 'Z') return 0
  const parts = /^([+-])(0\d|1[0-5])(?::?([0-5]\d))?(?::([0-5]\d))?$/.exec(rest)
  if (parts === null) return Number.NaN
  const [, sign, hours = '0', minutes = '0', seconds = '0'] = parts
  const offset = Number(hours) * 3600 + Number(minutes) * 60 + Number(seconds)
  return sign === '-' ? -offset : offset
}
