import { event } from '../events/event.ts'
import type { Event } from '../events/event.ts'
import type { TaskActivity } from './task-activity.ts'
import type { TaskResult } from './task-result.ts'

/**
 * Emitted on `Emitter.Instance` around every run of a task: `Began` before its scope is entered, `Ended`
 * when its outcome is stored.
 */
export const TaskEvents: {
  readonly Began: Event<[activity: TaskActivity]>
  readonly Ended: Event<[activity: TaskActivity, result: TaskResult]>
} = Object.freeze({
  Began: event<[activity: TaskActivity]>('task.began'),
  Ended: event<[activity: TaskActivity, result: TaskResult]>('task.ended'),
})
