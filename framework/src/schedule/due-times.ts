import { Cron } from 'croner'
import { ConfigurationError } from '../base/errors.ts'

/** The times at which a task is due, in epoch milliseconds. Every process computes the same ones. */
export interface DueTimes {
  /** How they were given, such as `0 7 1 * * Europe/Berlin` or `every 60 s`. */
  readonly expression: string
  /** The first one after a time; null if there is none any more. */
  next(afterMs: number): number | null
  /** The last one that is not after a time; null if there was none. */
  latest(atMs: number): number | null
}

const secondMs = 1_000
const maxSeconds = 31 * 86_400
/** Five fields, or six with the seconds first; `@daily` and the like too. */
const mode = '5-or-6-parts'
/** A cron expression, rather than a date, which croner takes as well. */
const cronSigns = /^[\w*,/?#+@ \t-]+$/

/**
 * The times of a cron expression in a time zone. When clocks go forward, a fixed time in the hour that
 * is left out is due right after it; when they go back, a fixed time in the hour that repeats is due
 * once, at its first occurrence. Expressions with `*` hours follow the time that really passes.
 * @throws ConfigurationError E_SCHEDULE for an invalid expression or zone, or one that is never due.
 */
export function cronTimes(expression: string, timeZone: string): DueTimes {
  const cron = parseCron(expression, timeZone)
  return Object.freeze({
    expression: `${expression} ${timeZone}`,
    next: (afterMs: number) => cron.nextRun(new Date(afterMs))?.getTime() ?? null,
    latest(atMs: number) {
      // croner looks before a time, and whole seconds only.
      const after = (Math.floor(atMs / secondMs) + 1) * secondMs
      return cron.previousRuns(1, new Date(after))[0]?.getTime() ?? null
    },
  })
}

/**
 * The multiples of an interval since 1970, so that all machines agree on them.
 * @throws ConfigurationError E_SCHEDULE unless it is a whole number of seconds, up to 31 days.
 */
export function intervalTimes(seconds: number): DueTimes {
  if (!Number.isInteger(seconds) || seconds < 1 || seconds > maxSeconds) {
    throw new ConfigurationError(
      'E_SCHEDULE',
      `"every" of a task must be a whole number of seconds from 1 to ${maxSeconds}, got ${String(seconds)}`,
    )
  }
  const stepMs = seconds * secondMs
  return Object.freeze({
    expression: `every ${seconds} s`,
    next: (afterMs: number) => (Math.floor(afterMs / stepMs) + 1) * stepMs,
    latest: (atMs: number) => Math.floor(atMs / stepMs) * stepMs,
  })
}

function parseCron(expression: string, timezone: string): Cron {
  const named = `"${expression}" in the time zone ${timezone}`
  if (typeof expression !== 'string' || expression.length > 100 || !cronSigns.test(expression)) {
    throw new ConfigurationError(
      'E_SCHEDULE',
      `"cron" of a task must be an expression such as "0 7 * * 1", got ${JSON.stringify(expression)}`,
    )
  }
  const cron = readCron(expression, timezone, named)
  if (cron.nextRun() !== null) return cron
  throw new ConfigurationError('E_SCHEDULE', `${named} is never due; change its days or months`)
}

function readCron(expression: string, timezone: string, named: string): Cron {
  try {
    // Without a zone nothing needs the zones of ICU, which take long to load when a server starts.
    const place = timezone === 'UTC' ? { utcOffset: 0 } : { timezone }
    const cron = new Cron(expression, { ...place, mode, paused: true })
    // croner checks the zone when it computes a time.
    cron.nextRun()
    return cron
  } catch (error) {
    throw new ConfigurationError('E_SCHEDULE', `${named} is not a cron expression we can read`, {
      cause: error,
    })
  }
}
