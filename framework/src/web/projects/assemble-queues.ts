import { ConfigurationError } from '../../base/errors.ts'
import type { Logs } from '../../services/logs/logs.ts'
import type { QueueWorker } from '../../services/queue/queue-worker.ts'
import { assembleServices } from './assemble-services.ts'
import type { AssembleServicesOptions } from './assemble-services.ts'

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
export async function assembleQueues(options: AssembleServicesOptions): Promise<AssembledQueues> {
  const { built, logs, close } = await assembleServices(
    options,
    { channel: 'queue', output: process.stdout },
    async (project, ...place) => checked(await project.queues(...place)),
  )
  return { workers: built, logs, close }
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
  return typeof worker === 'object' && worker !== null && 'run' in worker && 'queue' in worker
}
