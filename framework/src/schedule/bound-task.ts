import { randomUUID } from 'node:crypto'
import { event } from '../events/emitter.ts'
import type { Event } from '../events/emitter.ts'
import { Activity, ActivityKinds } from '../activity/activity.ts'
import type { Task, TaskContext } from './task.ts'

/** A task with the services it runs with. Apart from `task.ts`, which loads the parser of cron expressions. */
export interface BoundTask extends Omit<Task<never>, 'run' | 'timeZone' | 'timesIn'> {
  readonly run: (context: Omit<TaskContext<never>, 'services' | 'timeZone'>) => unknown
}

/** Binds tasks to the services of a project and to its time zone. */
export function bindTasks<Services>(
  tasks: readonly Task<Services>[],
  services: Services,
  projectZone: string,
): readonly BoundTask[] {
  return tasks.map(({ timesIn, run, ...task }) => {
    const timeZone = task.timeZone ?? projectZone
    return {
      ...task,
      times: timesIn(projectZone),
      run: (context) => run({ ...context, services, timeZone }),
    }
  })
}

/** What became of a due time of a task. */
export const TaskOutcomes = {
  Done: 'done',
  /** It threw, took too long or was cut at the end of its process. */
  Failed: 'failed',
  /** Its lease ended before it did, so another process may have run the task meanwhile. */
  Lost: 'lost',
  /** A run was still going on. */
  Skipped: 'skipped',
  /** No process was there to run it. */
  Missed: 'missed',
} as const
Object.freeze(TaskOutcomes)
export type TaskOutcomes = (typeof TaskOutcomes)[keyof typeof TaskOutcomes]

/** How a run of a task ended. */
export interface TaskResult {
  readonly task: string
  readonly due: Date
  readonly outcome: Extract<TaskOutcomes, 'done' | 'failed' | 'lost'>
  /** Class and code of its error, never the message; null if it is done. */
  readonly reason: string | null
  readonly durationMs: number
}

/** One run of a task. */
export class TaskActivity extends Activity {
  readonly kind: ActivityKinds = ActivityKinds.Task
  readonly id: string = randomUUID()
  readonly title: string
  readonly account = null
  /** The time it is for. */
  readonly due: Date

  constructor(title: string, due: Date) {
    super()
    this.title = title
    this.due = due
  }
}

/**
 * Emitted on `Emitter.Instance` around every run of a task: `Began` before its context is entered, `Ended`
 * when its outcome is stored.
 */
export const TaskEvents: {
  readonly Began: Event<[activity: TaskActivity]>
  readonly Ended: Event<[activity: TaskActivity, result: TaskResult]>
} = Object.freeze({
  Began: event<[activity: TaskActivity]>('task.began'),
  Ended: event<[activity: TaskActivity, result: TaskResult]>('task.ended'),
})
