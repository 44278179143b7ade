import type { Environments } from '../settings/environments.ts'
import { ConfigurationError } from '../base/errors.ts'
import type { JobStore } from '../queue/job-store.ts'
import type { QueueWorker } from '../queue/run-queue.ts'
import type { AssembledQueues } from '../project/assemble-queues.ts'
import { enterEnvironment } from './enter-environment.ts'

/** The project of a queue command. */
export interface ProjectFlags {
  readonly project: string
  readonly environment?: Environments
}

/** Runs `work` with the queues of a project, then closes its services. */
export async function withProjectQueues<T>(
  { project: root, environment: chosen }: ProjectFlags,
  work: (queues: AssembledQueues) => Promise<T>,
): Promise<T> {
  const { environment } = enterEnvironment(root, chosen)
  // Imported here because the environment must be set before any module of the project is loaded.
  const { assembleQueues } = await import('../project/assemble-queues.ts')
  const queues = await assembleQueues({ root, environment })
  try {
    return await work(queues)
  } finally {
    await queues.close()
  }
}

/** @throws ConfigurationError E_QUEUE that lists the existing queues. */
export function findWorker(workers: readonly QueueWorker[], name: string): QueueWorker {
  const found = workers.find(({ queue }) => queue.name === name)
  if (found !== undefined) return found
  throw unknownQueue(
    name,
    workers.map(({ queue }) => queue.name),
  )
}

/** The stores of the project, each once. */
export function storesOf(workers: readonly QueueWorker[]): ReadonlySet<JobStore> {
  return new Set(workers.map(({ queue }) => queue.store))
}

/**
 * The store of a queue, even of one that has jobs but no worker any more.
 * @throws ConfigurationError E_QUEUE if there is no such queue.
 */
export async function findStore(workers: readonly QueueWorker[], name: string): Promise<JobStore> {
  const own = workers.find(({ queue }) => queue.name === name)
  if (own !== undefined) return own.queue.store
  for (const store of storesOf(workers)) {
    if ((await store.names()).includes(name)) return store
  }
  throw unknownQueue(
    name,
    workers.map(({ queue }) => queue.name),
  )
}

function unknownQueue(name: string, known: readonly string[]): ConfigurationError {
  const listed = known.length === 0 ? 'it lists none' : `it lists ${known.join(', ')}`
  return new ConfigurationError(
    'E_QUEUE',
    `the project has no queue "${name}"; ${listed} under "queues" of defineProject()`,
  )
}
