import { event } from '../events/event.ts'
import type { Event } from '../events/event.ts'

/** Emitted on `Emitter.Instance` when a job was added, with its payload; for tests only. */
export const JobPushed: Event<[queue: string, payload: unknown]> = event('job.pushed')
