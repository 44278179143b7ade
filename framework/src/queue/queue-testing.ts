import { ConfigurationError } from '../base/errors.ts'
import { Emitter } from '../events/emitter.ts'
import { JobPushed } from './job.ts'
import type { QueueWorker, JobTally } from './run-queue.ts'

/** The queues of a project under test. Jobs are in its real store, and nothing runs them by itself. */
export class TestQueues {
  readonly #workers: () => readonly QueueWorker[]
  readonly #pushed: { readonly queue: string; readonly payload: unknown }[] = []
  /** Stops listening. */
  readonly close: () => void

  constructor(workers: () => readonly QueueWorker[]) {
    this.#workers = workers
    this.close = Emitter.Instance.listen(JobPushed, (queue, payload) => {
      this.#pushed.push({ queue, payload })
    })
  }

  /** The payloads of the jobs that were pushed to a queue, oldest first, done or not. */
  pushed(queue: string): readonly unknown[] {
    return this.#pushed.filter((job) => job.queue === queue).map(({ payload }) => payload)
  }

  /**
   * Runs the jobs of a queue that are due, with the handler of the project, and counts the outcomes.
   * @throws ConfigurationError if the project has no worker for it.
   */
  async work(queue: string): Promise<JobTally> {
    const workers = this.#workers()
    const worker = workers.find((one) => one.queue.name === queue)
    if (worker !== undefined) return worker.run({ once: true })
    const known = workers.map((one) => one.queue.name).join(', ') || 'none'
    throw new ConfigurationError('E_QUEUE', `there is no worker for ${queue}; there are ${known}`)
  }
}
