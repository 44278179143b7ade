import { RecentTexts } from '../base/encoding/recent-texts.ts'
import { invalidArgument } from '../base/errors.ts'
import { isoText } from '../base/time/iso-text.ts'

/** A day of the calendar in a time zone. Where clocks change it has 23 or 25 hours. */
export interface Day {
  /** `2026-03-29` */
  readonly date: string
  /** Its first moment, which is not midnight where clocks skip that. */
  readonly start: Date
  /** The first moment of the next day. */
  readonly end: Date
}

/**
 * A day in a time zone: that of a moment, a `Date` or epoch seconds, or the one with a date such as
 * `2026-03-29`.
 * @throws InvalidArgumentException for a date or zone that does not exist.
 */
export function day(moment: Date | number | string, timeZone: string): Day {
  if (!isTimeZone(timeZone)) throw invalidArgument(`"${timeZone}" is not a time zone`)
  const clockMs =
    typeof moment === 'string' ? Date.parse(`${moment}T00:00:00Z`) : clockAt(msOf(moment), timeZone)
  const date = Number.isNaN(clockMs) ? '' : isoText(new Date(clockMs)).slice(0, 10)
  // `Date` takes February 30 for March 2.
  if (date === '' || (typeof moment === 'string' && moment !== date)) {
    throw invalidArgument('day() takes a Date, epoch seconds or a date such as 2026-03-29')
  }
  const midnightMs = Math.floor(clockMs / dayMs) * dayMs
  const start = new Date(momentAt(midnightMs, timeZone))
  return { date, start, end: new Date(momentAt(midnightMs + dayMs, timeZone)) }
}

/** A moment for people: `2026-03-29 12:00 UTC+2`. */
export function momentText(moment: Date | number, timeZone: string): string {
  const atMs = msOf(moment)
  const clock = isoText(new Date(clockAt(atMs, timeZone)))
  const minutes = Math.round((Date.parse(clock) - atMs) / 60_000)
  const [hour, minute] = [Math.trunc(Math.abs(minutes) / 60), Math.abs(minutes) % 60]
  const ahead = `${minutes < 0 ? '-' : '+'}${hour}${minute === 0 ? '' : `:${minute}`}`
  return `${clock.slice(0, 16).replace('T', ' ')} UTC${minutes === 0 ? '' : ahead}`
}

/**
 * The moment at which the clocks of a zone show a time, in epoch milliseconds. Of two it is the first, or with `last`
 * the second; where clocks skip the time, the moment at which they do.
 */
export function momentAt(clockMs: number, timeZone: string, last: boolean = false): number {
  if (timeZone === 'UTC') return clockMs
  // A day before and a day after, whatever the zone: clocks do not change twice in between.
  const moments = [clockMs - dayMs, clockMs + dayMs]
    .map((ms) => clockMs + ms - clockAt(ms, timeZone))
    .toSorted((one, other) => one - other)
  const shows = (ms: number): boolean => clockAt(ms, timeZone) === clockMs
  const found = last ? moments.findLast(shows) : moments.find(shows)
  if (found !== undefined) return found
  let [before = 0, after = 0] = moments
  while (after - before > 1) {
    const middle = Math.floor((before + after) / 2)
    if (clockAt(middle, timeZone) < clockMs) before = middle
    else after = middle
  }
  return after
}

/** Whether there is a time zone of this name: `Europe/Berlin`, `UTC`. An offset is none. */
export function isTimeZone(name: string): boolean {
  if (name === 'UTC') return true
  if (!/^[A-Z]/i.test(name)) return false
  try {
    clockAt(0, name)
    return true
  } catch {
    return false
  }
}

/** The time zones for people to choose from. */
export function timeZones(): readonly string[] {
  return (choices ??= [
    ...new Set(
      ['UTC', ...Intl.supportedValuesOf('timeZone')].map((name) => renamed.get(name) ?? name),
    ),
  ].toSorted())
}

let choices: readonly string[] | null = null

/** Cities that have another name today than in the list of Node. */
const renamed: ReadonlyMap<string, string> = new Map([
  ['America/Godthab', 'America/Nuuk'],
  ['Asia/Calcutta', 'Asia/Kolkata'],
  ['Asia/Katmandu', 'Asia/Kathmandu'],
  ['Asia/Rangoon', 'Asia/Yangon'],
  ['Asia/Saigon', 'Asia/Ho_Chi_Minh'],
  ['Europe/Kiev', 'Europe/Kyiv'],
])

/** They are slow to make. */
const formats = new RecentTexts<Intl.DateTimeFormat>(100)

/** A format of `Intl`. */
export function dateFormat(
  language: string,
  options: Intl.DateTimeFormatOptions,
): Intl.DateTimeFormat {
  const { timeZone, dateStyle, timeStyle } = options
  const name = `${language} ${timeZone} ${dateStyle} ${timeStyle}`
  return formats.get(name) ?? formats.set(name, new Intl.DateTimeFormat(language, options))
}

const dayMs = 86_400_000

function msOf(moment: Date | number): number {
  return typeof moment === 'number' ? moment * 1000 : moment.getTime()
}

/** What the clocks of a zone show at a moment, as if it were UTC. */
function clockAt(ms: number, timeZone: string): number {
  if (timeZone === 'UTC' || Number.isNaN(ms)) return ms
  const text = dateFormat('en-US', { timeZone, timeZoneName: 'longOffset' }).format(ms)
  const found = /([+-])(\d\d):(\d\d)(?::(\d\d))?$/.exec(text)
  if (found === null) return ms
  const [, sign, hours, minutes, seconds = '0'] = found
  const offset = (Number(hours) * 60 + Number(minutes)) * 60 + Number(seconds)
  return ms + (sign === '-' ? -offset : offset) * 1000
}
