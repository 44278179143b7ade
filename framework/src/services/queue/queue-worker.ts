import { drain } from './drain.ts'
import type { DrainOptions, DrainTally } from './drain.ts'
import type { JobHandler } from './job.ts'
import type { Queue } from './queue.ts'

/** A queue and what does its jobs, as a project lists them. */
export interface QueueWorker {
  readonly queue: Queue
  drain(options?: DrainOptions): Promise<DrainTally>
}

/** Puts a queue and its handler together: `queueWorker(mails, (job) => send(job.payload))`. */
export function queueWorker<Payload>(
  queue: Queue<Payload>,
  handler: JobHandler<Payload>,
): QueueWorker {
  return { queue, drain: (options) => drain(queue, handler, options) }
}
