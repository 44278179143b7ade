import { ConfigurationError } from '../base/errors.ts'
import type { Logs } from '../logs/logs.ts'
import type { QueueWorker } from '../queue/run-queue.ts'
import { assembleServices } from './assemble-services.ts'
import type { AssembleServicesOptions } from './assemble-services.ts'

/** The queues of a project. */
export interface AssembledQueues {
  readonly workers: readonly QueueWorker[]
  readonly logs: Logs
  /** Closes the services in reverse order, then the logs. */
  readonly close: () => Promise<void>
}

/**
 * Loads a project and builds its services without a server, to run its queues.
 * @throws ConfigurationError for an invalid project, settings or queues.
 */
export async function assembleQueues(options: AssembleServicesOptions): Promise<AssembledQueues> {
  const { built, logs, close } = await assembleServices(
    options,
    { channel: 'queue', output: process.stdout },
    async (project, ...context) => checkedWorkers(await project.queues(...context)),
  )
  return { workers: built, logs, close }
}

function checkedWorkers(workers: readonly QueueWorker[]): readonly QueueWorker[] {
  const names = new Set<string>()
  for (const worker of Array.isArray(workers) ? workers : [undefined]) {
    const name = isWorker(worker) ? worker.queue.name : undefined
    if (name === undefined) {
      throw new ConfigurationError(
        'E_QUEUE',
        'defineProject: "queues" must return a list of workers created by queueWorker()',
      )
    }
    if (names.has(name)) {
      throw new ConfigurationError('E_QUEUE', `defineProject: "queues" lists ${name} twice`)
    }
    names.add(name)
  }
  return workers
}

// The list may come from untyped code.
function isWorker(worker: unknown): worker is QueueWorker {
  return typeof worker === 'object' && worker !== null && 'run' in worker && 'queue' in worker
}
