import { Cron } from 'croner'
import { ConfigurationError } from '../base/errors.ts'
import type { Channel } from '../logs/channel.ts'

/** When a task is due: by a cron expression, or at an interval. */
export type TaskTimes =
  | {
      /** Five fields, or six with the seconds first: `0 7 * * 1` is Monday at seven. */
      readonly cron: string
      /** Such as `Europe/Berlin`. @default that of the project, `APP_TIMEZONE` */
      readonly timeZone?: string
      readonly every?: never
    }
  | {
      /** Seconds between two runs; they are counted from 1970, so that all machines agree. */
      readonly every: number
      readonly cron?: never
      readonly timeZone?: never
    }

/** How a task is run. */
export interface TaskRules {
  /** What happens to a due time while the last run goes on: it is skipped, or runs beside it. @default 'skip' */
  readonly overlap?: 'skip' | 'allow'
  /** What happens after due times were missed: nothing, or one run for the last of them. @default 'none' */
  readonly catchUp?: 'none' | 'once'
  /** Seconds that a run may begin late; later, its due time counts as missed. @default 120 */
  readonly grace?: number
  /** Seconds after which a run counts as failed and its `signal` is aborted. @default 3600 */
  readonly timeout?: number
}

/** What a run of a task gets. */
export interface TaskContext<Services> {
  readonly services: Services
  /** The time this run is for. It may begin a little later. */
  readonly due: Date
  /** The zone of its expression, or else of the project: `day(due, timeZone)` is the day of this run. */
  readonly timeZone: string
  /** Aborted when the run takes too long, when its process must stop, or when another one took over. */
  readonly signal: AbortSignal
  /** The channel `schedule`. */
  readonly log: Channel
}

/** The times at which a task is due, in epoch milliseconds. Every process computes the same ones. */
export interface DueTimes {
  /** How they were given, such as `0 7 1 * * Europe/Berlin` or `every 60 s`. */
  readonly expression: string
  /** The first one after a time; null if there is none any more. */
  next(afterMs: number): number | null
  /** The last one that is not after a time; null if there was none. */
  latest(atMs: number): number | null
}

/** A task of the schedule of a project. */
export interface Task<Services> {
  readonly name: string
  /** When it is due; in UTC, if it has no time zone and belongs to no project yet. */
  readonly times: DueTimes
  /** Its own time zone; null for that of the project. */
  readonly timeZone: string | null
  /** When it is due in a project with this time zone. */
  readonly timesIn: (timeZone: string) => DueTimes
  readonly overlap: 'skip' | 'allow'
  readonly catchUp: 'none' | 'once'
  readonly graceMs: number
  readonly timeoutMs: number
  readonly run: (context: TaskContext<Services>) => unknown
}

/** A task whose code is still to be given. */
export interface TaskPlan {
  /** Gives the code that runs at every due time. It may return a promise. */
  run<Services>(run: (context: TaskContext<Services>) => unknown): Task<Services>
}

const taskName = /^[a-z][a-z0-9]*([:._-][a-z0-9]+)*$/
const maxName = 64
const maxSeconds = 31 * 86_400
const secondMs = 1_000

/**
 * Plans a task: `task('digest', { cron: '0 7 * * 1', timeZone: 'Europe/Berlin' }).run<Services>(async
 * ({ services, due }) => …)`.
 * @throws ConfigurationError E_SCHEDULE for an invalid name, time or rule.
 */
export function task(name: string, options: TaskTimes & TaskRules): TaskPlan {
  if (typeof name !== 'string' || !taskName.test(name) || name.length > maxName) {
    throw problem(
      `the name of a task must be at most ${maxName} small letters, digits and -:._ between them, such as monthly-report, got ${JSON.stringify(name)}`,
    )
  }
  const { overlap = 'skip', catchUp = 'none', grace = 120, timeout = 3_600 } = options
  choice(name, 'overlap', overlap, ['skip', 'allow'])
  choice(name, 'catchUp', catchUp, ['none', 'once'])
  const { timeZone = null } = options
  const times = timesOf(name, options)
  const planned = {
    name,
    times,
    timeZone,
    timesIn: (zone: string) =>
      timeZone === null && options.cron !== undefined ? cronTimes(options.cron, zone) : times,
    overlap,
    catchUp,
    graceMs: seconds(name, 'grace', grace) * 1_000,
    timeoutMs: seconds(name, 'timeout', timeout) * 1_000,
  }
  return Object.freeze({
    run: <Services>(run: (context: TaskContext<Services>) => unknown): Task<Services> => {
      if (typeof run !== 'function') throw problem(`run() of the task ${name} needs a function`)
      return Object.freeze({ ...planned, run })
    },
  })
}

// Checked as the name is: they may come from untyped code.
function timesOf(name: string, { cron, every, timeZone = 'UTC' }: TaskTimes): DueTimes {
  if (cron !== undefined && every === undefined) return cronTimes(cron, timeZone)
  if (every !== undefined && cron === undefined) return intervalTimes(every)
  throw problem(`the task ${name} needs either "cron" or "every"`)
}

function choice(name: string, rule: string, value: string, choices: readonly string[]): void {
  if (choices.includes(value)) return
  throw problem(`"${rule}" of the task ${name} must be ${choices.join(' or ')}, got ${value}`)
}

function seconds(name: string, rule: string, value: number): number {
  if (typeof value === 'number' && value >= 1 && value <= maxSeconds) return value
  throw problem(
    `"${rule}" of the task ${name} must be from 1 to ${maxSeconds} seconds, got ${String(value)}`,
  )
}

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
    throw problem(
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
  if (typeof expression !== 'string' || expression.length > 100 || !cronSigns.test(expression)) {
    throw problem(
      `"cron" of a task must be an expression such as "0 7 * * 1", got ${JSON.stringify(expression)}`,
    )
  }
  const named = `"${expression}" in the time zone ${timezone}`
  try {
    // Without a zone nothing needs the zones of ICU, which take long to load when a server starts.
    const place = timezone === 'UTC' ? { utcOffset: 0 } : { timezone }
    const cron = new Cron(expression, { ...place, mode, paused: true })
    // croner checks the zone when it computes a time.
    if (cron.nextRun() !== null) return cron
  } catch (cause) {
    throw problem(`${named} is not a cron expression we can read`, { cause })
  }
  throw problem(`${named} is never due; change its days or months`)
}

function problem(text: string, options?: ErrorOptions): ConfigurationError {
  return new ConfigurationError('E_SCHEDULE', text, options)
}
