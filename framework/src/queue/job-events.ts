import { event } from '../events/event.ts'
import type { Event } from '../events/event.ts'
import type { JobActivity } from './job-activity.ts'
import type { JobResult } from './job-result.ts'

/**
 * Emitted on `Emitter.Instance` around every attempt of a job: `Began` before its scope is entered,
 * `Ended` when its outcome is stored.
 */
export const JobEvents: {
  readonly Began: Event<[activity: JobActivity]>
  readonly Ended: Event<[activity: JobActivity, result: JobResult]>
} = Object.freeze({
  Began: event<[activity: JobActivity]>('job.began'),
  Ended: event<[activity: JobActivity, result: JobResult]>('job.ended'),
})
