import { availableParallelism } from 'node:os'
import type { Environments } from '../../app/environments/environments.ts'
import { toError } from '../../base/throwables/to-error.ts'
import { assembleProject } from './assemble-project.ts'
import type { AssembleOptions } from './assemble-project.ts'
import { bannerOfFleet, sendBanner } from './fleet-banner.ts'
import { localUrl } from './local-url.ts'
import type { BannerLine } from './project.ts'
import { UncaughtInWorker, WorkerFailures } from './worker-failures.ts'

/** How a project is served. */
export interface ServeOptions extends AssembleOptions {
  /** Whether signals stop and restart the server; true unless given. */
  readonly signals?: boolean
}

/** A project that answers requests. */
export interface ServedProject {
  readonly name: string
  readonly environment: Environments
  readonly host: string
  readonly port: number
  /** Where a browser on this machine reaches it. */
  readonly url: string
  /** Number of processes that handle requests. */
  readonly workers: number
  readonly banner: readonly BannerLine[]
  /** Stops accepting, finishes what is in flight, closes the services. */
  close(): Promise<void>
}

/**
 * Serves the project of a folder; resolves when it answers.
 * @throws ConfigurationError for what is wrong with the project or its settings.
 * @throws ListenError when the address cannot be had.
 * @throws UncaughtInWorker when something unexpected was thrown in a worker.
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
