import { resolve } from 'node:path'
import { loadEnvironment } from '../../app/config/env-source.ts'
import { Environments } from '../../app/environments/environments.ts'
import { Throwables } from '../../base/debugging/throwables.ts'
import type { Reporter } from '../../base/debugging/throwables.ts'
import { ConfigurationError } from '../../base/errors.ts'
import { exceptionsReporter } from '../../services/logs/exceptions-reporter.ts'
import type { Logs } from '../../services/logs/logs.ts'
import type { QueueWorker } from '../../services/queue/queue-worker.ts'
import type { AssembleOptions } from './assemble-project.ts'
import { loadProject } from './load-project.ts'
import { logWarnings } from './log-warnings.ts'
import { openLogs } from './project-logs.ts'
import { readSettings } from './read-settings.ts'

/** What the queues of a project are assembled from. */
export type AssembleQueuesOptions = Pick<
  AssembleOptions,
  'root' | 'project' | 'environment' | 'env'
>

/** The queues of a project and what they work with. */
export interface AssembledQueues {
  readonly workers: readonly QueueWorker[]
  readonly logs: Logs
  /** Closes the services, the last one first, and the logs. */
  readonly close: () => Promise<void>
}

/**
 * Loads a project and builds its services, without a server: for a process that works on queues.
 * @throws ConfigurationError for what is wrong with the project, its settings or its queues.
 */
export async function assembleQueues(options: AssembleQueuesOptions): Promise<AssembledQueues> {
  const root = resolve(options.root)
  const source = loadEnvironment({ ...options, root })
  const { environment } = source
  const project = options.project ?? (await loadProject(root))
  const server = readSettings(project, source)
  const logs = openLogs(root, server, null)
  const closing = new Closing()
  closing.onClose(() => logs.close())
  closing.onClose(logWarnings(logs.channel('queue')))
  if (environment !== Environments.Test) closing.onClose(withReporter(exceptionsReporter(logs)))
  try {
    // Nobody asks a worker whether it is ready for requests.
    const surroundings = { server, environment, logs, root, ready: () => {} }
    const workers = checked(await project.queues(closing, surroundings, source))
    return { workers, logs, close: () => closing.close() }
  } catch (thrown) {
    await closing.close()
    throw thrown
  }
}

/** What has to be closed, in reverse. */
class Closing {
  readonly #closers: (() => unknown)[] = []

  onClose(closer: () => unknown): void {
    this.#closers.push(closer)
  }

  async close(): Promise<void> {
    for (const closer of this.#closers.splice(0).toReversed()) {
      try {
        await closer()
      } catch (thrown) {
        Throwables.notify(thrown)
      }
    }
  }
}

function withReporter(reporter: Reporter): () => void {
  const { reporters } = Throwables
  reporters.push(reporter)
  return () => {
    const at = reporters.indexOf(reporter)
    if (at !== -1) reporters.splice(at, 1)
  }
}

function checked(workers: readonly QueueWorker[]): readonly QueueWorker[] {
  const names = new Set<string>()
  for (const worker of Array.isArray(workers) ? workers : [undefined]) {
    const name = isWorker(worker) ? worker.queue.name : undefined
    if (name === undefined) {
      throw new ConfigurationError(
        'E_QUEUE',
        'defineProject: "queues" must give a list of what queueWorker() makes',
      )
    }
    if (names.has(name)) {
      throw new ConfigurationError('E_QUEUE', `defineProject: "queues" lists ${name} twice`)
    }
    names.add(name)
  }
  return workers
}

// The list may come from code that no compiler has seen.
function isWorker(worker: unknown): worker is QueueWorker {
  return typeof worker === 'object' && worker !== null && 'drain' in worker && 'queue' in worker
}
