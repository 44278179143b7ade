import { ConfigurationError } from '../base/errors.ts'
import type { Channel } from '../logs/channel.ts'
import { cronTimes, intervalTimes } from './due-times.ts'
import type { DueTimes } from './due-times.ts'

/** When a task is due: by a cron expression, or at an interval. */
export type TaskTimes =
  | {
      /** Five fields, or six with the seconds first: `0 7 * * 1` is Monday at seven. */
      readonly cron: string
      /** Such as `Europe/Berlin`. @default 'UTC' */
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
  /** Aborted when the run takes too long, when its process must stop, or when another one took over. */
  readonly signal: AbortSignal
  /** The channel `schedule`. */
  readonly log: Channel
}

/** A task of the schedule of a project. */
export interface Task<Services> {
  readonly name: string
  readonly times: DueTimes
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
  const planned = {
    name,
    times: timesOf(name, options),
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

function problem(text: string): ConfigurationError {
  return new ConfigurationError('E_SCHEDULE', text)
}
