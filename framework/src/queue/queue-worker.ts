import { runQueue } from './run-queue.ts'
import type { RunQueueOptions, JobTally } from './run-queue.ts'
import type { JobHandler } from './job.ts'
import type { Queue } from './queue.ts'

/** A queue and its handler, as listed by a project. */
export interface QueueWorker {
  readonly queue: Queue
  run(options?: RunQueueOptions): Promise<JobTally>
}

/** Combines a queue and its handler: `queueWorker(mails, (job) => send(job.payload))`. */
export function queueWorker<Payload>(
  queue: Queue<Payload>,
  handler: JobHandler<Payload>,
): QueueWorker {
  return { queue, run: (options) => runQueue(queue, handler, options) }
}
