import type { ExportJob } from 'framework/auth'
import { AfterResponse } from 'framework/http'
import type { Request } from 'framework/http'
import { runQueue } from 'framework/queue'
import type { JobHandler, Queue } from 'framework/queue'

/**
 * Runs the jobs that export accounts in this process, one at a time and after the response; with
 * EXPORT_QUEUE it leaves them to `framework queue run exports`.
 */
export class ExportJobs {
  readonly #queue: Queue<ExportJob>
  readonly #work: JobHandler<ExportJob>
  readonly #isElsewhere: boolean
  readonly #afterResponse = new AfterResponse()
  #running: Promise<unknown> = Promise.resolve()

  constructor(queue: Queue<ExportJob>, work: JobHandler<ExportJob>, isElsewhere: boolean) {
    this.#queue = queue
    this.#work = work
    this.#isElsewhere = isElsewhere
  }

  /** Runs what waits, once the response to this request is sent. */
  start(request: Request): void {
    if (this.#isElsewhere) return
    this.#afterResponse.add(request, () => {
      this.#running = this.#running
        .catch(() => {})
        .then(() => runQueue(this.#queue, this.#work, { once: true }))
      return this.#running
    })
  }

  /** Waits for the jobs that run. */
  close(): Promise<void> {
    return this.#afterResponse.close()
  }
}
