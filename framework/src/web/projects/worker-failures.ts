import cluster from 'node:cluster'
import type { Worker } from 'node:cluster'
import { writeErrorOutput } from '../../base/throwables/error-output.ts'
import { ConfigurationError } from '../../base/errors.ts'
import type { Channel } from '../../services/logs/channel.ts'
import { parseReport } from '../server/fleet/worker-messages.ts'

/** A fleet did not come up because something was thrown in a worker that nobody expected. */
export class UncaughtInWorker extends ConfigurationError {
  /** What is to be printed of it; empty when the worker has printed it itself. */
  readonly report: string

  constructor(message: string, report: string) {
    super('E_WORKER_START', message)
    this.report = report
  }
}

/** How a process ends by something that nobody caught. */
const uncaughtStatus = 255

/**
 * Hears, in the primary, why workers cannot start. They do not print that themselves, or it would
 * stand there once for each of them.
 */
export class WorkerFailures {
  /** The first that was not expected before the fleet served; null when there was none. */
  uncaught: { readonly report: string } | null = null
  #channel: Channel | null = null
  readonly #onMessage = (worker: Worker, message: unknown): void => this.#hear(worker, message)
  readonly #onExit = (_worker: Worker, status: number): void => {
    if (status === uncaughtStatus) this.uncaught ??= { report: '' }
  }

  constructor() {
    cluster.on('message', this.#onMessage)
    cluster.on('exit', this.#onExit)
  }

  /** From here on the fleet serves: a worker that replaces another and cannot start is logged. */
  logTo(channel: Channel): void {
    this.#channel = channel
  }

  close(): void {
    cluster.off('message', this.#onMessage)
    cluster.off('exit', this.#onExit)
  }

  #hear({ process: { pid } }: Worker, message: unknown): void {
    const failure = parseReport(message)
    if (failure?.type !== 'framework:failed') return
    const { message: reason, report } = failure
    if (this.#channel === null) {
      if (report !== null) this.uncaught ??= { report }
      return
    }
    this.#channel.error('a worker cannot start', { pid, reason })
    if (report !== null) writeErrorOutput(report)
  }
}
