import { availableParallelism } from 'node:os'
import type { Environments } from '../../settings/environments.ts'
import { toError } from '../../base/to-error.ts'
import { assembleProject } from './assemble-project.ts'
import type { AssembleOptions } from './assemble-project.ts'
import { localUrl } from './project-settings.ts'
import type { BannerLine } from '../project.ts'
import { UncaughtInWorker, WorkerFailures } from './worker-failures.ts'
import cluster from 'node:cluster'
import type { Worker } from 'node:cluster'
import { isRecord } from '../../base/is-record.ts'

/** Options of `serveProject`. */
export interface ServeOptions extends AssembleOptions {
  /**
   * Whether signals stop and restart the server.
   * @default true
   */
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
  const workersBanner = bannerOfFleet()
  server.onClose(workersBanner)
  sendBanner(banner)
  const failures = new WorkerFailures()
  server.onClose(() => failures.close())
  try {
    const { host, port } = await server.listen({ signals: options.signals ?? true })
    failures.logTo(logs.channel('server'))
    const { workers } = settings
    return {
      name: project.name,
      environment,
      host,
      port,
      url: localUrl({ host, port, https: options.https === true }),
      workers: workers === 'auto' ? availableParallelism() : workers,
      banner: [...banner, ...workersBanner()],
      close: () => server.close(),
    }
  } catch (thrown) {
    await server.close()
    const { uncaught } = failures
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

/**
 * Listens in the primary for the banner lines of the first worker; those of all workers are the same.
 * Returns a function that stops listening and returns the lines.
 */
function bannerOfFleet(): () => readonly BannerLine[] {
  let received: readonly BannerLine[] | null = null
  const listener = (_worker: Worker, message: unknown): void => {
    if (isBanner(message)) received ??= message.lines
  }
  cluster.on('message', listener)
  return () => {
    cluster.off('message', listener)
    return received ?? []
  }
}

/** Whether a message is that of `sendBanner`, in a worker of the same version. */
function isBanner(message: unknown): message is { readonly lines: readonly BannerLine[] } {
  return isRecord(message) && message['type'] === type
}
