import cluster from 'node:cluster'
import type { Worker } from 'node:cluster'
import { availableParallelism } from 'node:os'
import type { Environments } from '../../settings/environments.ts'
import { ConfigurationError } from '../../base/errors.ts'
import { isRecord } from '../../base/is-record.ts'
import { toError } from '../../base/to-error.ts'
import { writeErrorOutput } from '../../errors/throwables/error-output.ts'
import { isWorkerReport } from '../../http/server/fleet/workers.ts'
import type { Channel } from '../../logs/channel.ts'
import type { BannerLine } from '../project.ts'
import { assembleProject } from './assemble-project.ts'
import type { AssembleOptions } from './assemble-project.ts'
import { localUrl } from './project-settings.ts'

/** Options of `serveProject`. */
export interface ServeOptions extends AssembleOptions {
  /** Whether signals stop and restart the server. @default true */
  readonly signals?: boolean
}

/** A project that accepts requests. */
export interface ServedProject {
  readonly name: string
  readonly environment: Environments
  readonly host: string
  readonly port: number
  /** Its URL for a browser on this machine. */
  readonly url: string
  /** Number of processes that handle requests. */
  readonly workers: number
  readonly banner: readonly BannerLine[]
  /** Stops accepting connections, finishes requests in flight and closes the services. */
  close(): Promise<void>
}

/**
 * Serves the project of a folder; resolves when it accepts requests.
 * @throws ConfigurationError for an invalid project or invalid settings.
 * @throws ListenError if the address is not available.
 * @throws UncaughtInWorker for an unexpected error in a worker.
 */
export async function serveProject(options: ServeOptions): Promise<ServedProject> {
  const { project, environment, settings, server, logs, banner } = await assembleProject(options)
  const reports = new WorkerReports()
  server.onClose(() => reports.close())
  sendBanner(banner)
  try {
    const { host, port } = await server.listen({ signals: options.signals ?? true })
    reports.logTo(logs.channel('server'))
    const { workers } = settings
    return {
      name: project.name,
      environment,
      host,
      port,
      url: localUrl({ host, port, https: options.https === true }),
      workers: workers === 'auto' ? availableParallelism() : workers,
      banner: [...banner, ...reports.banner],
      close: () => server.close(),
    }
  } catch (thrown) {
    await server.close()
    const { uncaught } = reports
    throw uncaught === null
      ? thrown
      : new UncaughtInWorker(toError(thrown).message, uncaught.report)
  }
}

const type = 'framework:banner'

/** Sends the banner lines of this worker to the primary; does nothing outside a fleet. */
function sendBanner(lines: readonly BannerLine[]): void {
  if (!cluster.isWorker) return
  // Errors are ignored: the worker notices elsewhere that the primary is gone.
  process.send?.({ type, lines }, () => {})
}

/** Whether a message is that of `sendBanner`, in a worker of the same version. */
function isBanner(message: unknown): message is { readonly lines: readonly BannerLine[] } {
  return isRecord(message) && message['type'] === type
}

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
 * Collects in the primary what workers report when they start: their banner lines, or why they cannot.
 * Workers do not print it themselves, because it would appear once for each of them.
 */
class WorkerReports {
  /** The same for all workers. */
  banner: readonly BannerLine[] = []
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
    if (isBanner(message)) this.banner = message.lines
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
