import cluster from 'node:cluster'
import type { Worker } from 'node:cluster'
import { writeErrorOutput } from '../../errors/throwables/error-output.ts'
import { ConfigurationError } from '../../base/errors.ts'
import type { Channel } from '../../logs/channel.ts'
import { isWorkerReport } from '../../http/server/fleet/worker-messages.ts'

/** A fleet did not start because of an unexpected error in a worker. */
export class UncaughtInWorker extends ConfigurationError {
  /** The report to print; empty if the worker has printed it itself. */
  readonly report: string

  constructor(message: string, report: string) {
    super('E_WORKER_START', message)
    this.report = report
  }
}

/** Exit status of a process after an uncaught error. */
const uncaughtStatus = 255

/**
 * Collects in the primary why workers cannot start. Workers do not print it themselves, because it
 * would appear once for each of them.
 */
export class WorkerFailures {
  /** The first unexpected error before the fleet was up; null if there was none. */
  uncaught: { readonly report: string } | null = null
  #channel: Channel | null = null
  readonly #onMessage = (worker: Worker, message: unknown): void => this.#receive(worker, message)
  readonly #onExit = (_worker: Worker, status: number): void => {
    if (status === uncaughtStatus) this.uncaught ??= { report: '' }
  }

  constructor() {
    cluster.on('message', this.#onMessage)
    cluster.on('exit', this.#onExit)
  }

  /** Call it when the fleet is up: from then on, a replacement worker that cannot start is logged. */
  logTo(channel: Channel): void {
    this.#channel = channel
  }

  close(): void {
    cluster.off('message', this.#onMessage)
    cluster.off('exit', this.#onExit)
  }

  #receive({ process: { pid } }: Worker, message: unknown): void {
    if (!isWorkerReport(message) || message.type !== 'framework:failed') return
    const { message: reason, report } = message
    if (this.#channel === null) {
      if (report !== null) this.uncaught ??= { report }
      return
    }
    this.#channel.error('a worker cannot start', { pid, reason })
    if (report !== null) writeErrorOutput(report)
  }
}
