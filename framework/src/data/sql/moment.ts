/** A moment that a database wrote as text. */
export interface Moment {
  /** Its whole second, as milliseconds since 1970 in UTC. */
  readonly secondMs: number
  /** The digits behind the second, as they stood; '' without. */
  readonly fraction: string
  /** Whether the text names its distance to UTC; without one it is UTC. */
  readonly isZoned: boolean
}

/** A `Date` as databases compare it: UTC, always six digits behind the second. Null if it has no such text. */
export function momentText(date: Date): string | null {
  const time = date.getTime()
  if (!(time >= firstMs && time <= lastMs)) return null
  const iso = date.toISOString()
  return `${iso.slice(0, 10)} ${iso.slice(11, 23)}000`
}

/**
 * Reads `2026-01-31 12:00:00`, with a fraction of up to nine digits, a `T` for the blank, and `Z` or a
 * distance such as `+00`, `-03:30` behind it. Null for anything else and for days no calendar has.
 */
export function parseMoment(text: string): Moment | null {
  const year = digits(text, 0, 4)
  const month = digits(text, 5, 2)
  const day = digits(text, 8, 2)
  const hour = digits(text, 11, 2)
  const minute = digits(text, 14, 2)
  const second = digits(text, 17, 2)
  if (!hasMarks(text) || !isDay(year, month, day)) return null
  if (!(hour < 24 && minute < 60 && second < 60)) return null
  const end = fractionEnd(text)
  const distance = end === text.length ? 0 : distanceOf(text, end)
  if (!(end > 0) || Number.isNaN(distance)) return null
  // Date.UTC takes the years 0 to 99 for 1900 to 1999; the calendar repeats after 400 years.
  const utc = Date.UTC(year + 400, month - 1, day, hour, minute, second) - fourCenturiesMs
  return {
    secondMs: utc - distance * 1000,
    fraction: text.slice(20, end),
    isZoned: end !== text.length,
  }
}

/** A moment as a `Date`; what is finer than a millisecond is dropped. */
export function momentDate({ secondMs, fraction }: Moment): Date {
  return new Date(secondMs + (fraction === '' ? 0 : Number(fraction.slice(0, 3).padEnd(3, '0'))))
}

/** A moment in UTC with exactly six digits behind the second. */
export function momentDigits({ secondMs, fraction }: Moment): string {
  const iso = new Date(secondMs).toISOString()
  return `${iso.slice(0, 10)} ${iso.slice(11, 19)}.${fraction.slice(0, 6).padEnd(6, '0')}`
}

const fourCenturiesMs = 146_097 * 86_400_000
const firstMs = Date.parse('0001-01-01T00:00:00.000Z')
const lastMs = Date.parse('9999-12-31T23:59:59.999Z')
const longMonths = new Set([1, 3, 5, 7, 8, 10, 12])
const mostFraction = 9

// Loops over codes: every row of a page is read this way, and expressions take five times as long.
function digits(text: string, from: number, count: number): number {
  let number = 0
  for (let at = from; at < from + count; at += 1) {
    const digit = text.charCodeAt(at) - 48
    if (!(digit >= 0 && digit <= 9)) return Number.NaN
    number = number * 10 + digit
  }
  return number
}

function hasMarks(text: string): boolean {
  const between = text.charAt(10)
  return (
    text.charAt(4) === '-' &&
    text.charAt(7) === '-' &&
    (between === ' ' || between === 'T') &&
    text.charAt(13) === ':' &&
    text.charAt(16) === ':'
  )
}

function isDay(year: number, month: number, day: number): boolean {
  if (!(year >= 1 && month >= 1 && month <= 12 && day >= 1 && day <= 31)) return false
  if (day <= 28) return true
  if (month !== 2) return day <= 30 || longMonths.has(month)
  const isLeap = year % 4 === 0 && (year % 100 !== 0 || year % 400 === 0)
  return isLeap && day === 29
}

// Where the fraction ends; 0 when there is a point without digits, or with too many.
function fractionEnd(text: string): number {
  if (text.charAt(19) !== '.') return 19
  let end = 20
  while (digits(text, end, 1) >= 0) end += 1
  return end === 20 || end > 20 + mostFraction ? 0 : end
}

// Seconds east of UTC that the rest of the text names; NaN when it names none.
function distanceOf(text: string, from: number): number {
  const rest = text.slice(from)
  if (rest === '+00' || rest === 'Z') return 0
  const parts = /^([+-])(0\d|1[0-5])(?::?([0-5]\d))?(?::([0-5]\d))?$/.exec(rest)
  if (parts === null) return Number.NaN
  const [, sign, hours = '0', minutes = '0', seconds = '0'] = parts
  const distance = Number(hours) * 3600 + Number(minutes) * 60 + Number(seconds)
  return sign === '-' ? -distance : distance
}
