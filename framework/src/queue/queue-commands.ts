import { ConfigurationError } from '../base/errors.ts'
import { printable } from '../base/encoding/printable.ts'
import { ExitStatus } from '../base/terminal/terminal.ts'
import type { Terminal } from '../base/terminal/terminal.ts'
import { textTable } from '../base/terminal/text-table.ts'
import { untilSignal } from '../base/terminal/until-signal.ts'
import type { Channel } from '../logs/channel.ts'
import type { JobResult } from './job.ts'
import type { JobStore, QueueCounts } from './job-store.ts'
import { QueueProgress } from './queue-progress.ts'
import type { QueueWorker } from './run-queue.ts'

/** How `framework queue run` runs a queue. */
export interface RunQueueOptions {
  /** Whether it stops when no job is waiting. */
  readonly once: boolean
  /** How many jobs run at the same time. */
  readonly concurrency: number
  /** Gets failed and dead jobs. */
  readonly log: Channel
}

/**
 * Runs the jobs of a queue. A signal stops it after the running jobs, a second one immediately.
 * @throws ConfigurationError E_QUEUE that lists the existing queues.
 */
export async function runQueue(
  workers: readonly QueueWorker[],
  name: string,
  { once, concurrency, log }: RunQueueOptions,
  terminal: Terminal,
): Promise<ExitStatus> {
  const worker = workers.find(({ queue }) => queue.name === name)
  if (worker === undefined) throw unknownQueue(workers, name)
  const { waiting, delayed, dead } = await worker.queue.counts()
  terminal.out(`${name} has ${waiting} waiting, ${delayed} delayed, ${dead} dead jobs\n`)
  const progress = new QueueProgress(worker.queue, terminal)
  const { signal, release } = untilSignal()
  try {
    const tally = await worker.run({
      once,
      concurrency,
      signal,
      onResult: (result) => progress.add(result, () => logResult(log, name, result)),
    })
    progress.stop()
    terminal.out(`${name}: ${tally.done} done, ${tally.failed} failed, ${tally.dead} dead\n`)
    return ExitStatus.Ok
  } finally {
    progress.stop()
    release()
  }
}

/** Finished jobs are only counted. */
function logResult(log: Channel, queue: string, result: JobResult): void {
  const { outcome, id: job, attempt, reason, delay } = result
  if (outcome === 'done') return
  const again = outcome === 'failed' ? { again: delay } : {}
  log.warn(`job ${outcome}`, { queue, job, attempt, reason, ...again })
}

/** Lists the queues, including those that have jobs but no worker. */
export async function listQueues(
  workers: readonly QueueWorker[],
  { json }: { readonly json: boolean },
  terminal: Terminal,
): Promise<ExitStatus> {
  const rows = await countQueues(workers)
  if (json) terminal.out(`${JSON.stringify(rows, null, 2)}\n`)
  else if (rows.length === 0) terminal.out('there are no queues\n')
  else terminal.out(queuesTable(rows, terminal))
  return ExitStatus.Ok
}

interface QueueRow extends QueueCounts {
  readonly queue: string
  /** Whether the project has a worker for it. */
  readonly handled: boolean
}

async function countQueues(workers: readonly QueueWorker[]): Promise<readonly QueueRow[]> {
  const rows: QueueRow[] = []
  for (const { queue } of workers) {
    rows.push({ queue: queue.name, handled: true, ...(await queue.counts()) })
  }
  for (const store of storesOf(workers)) {
    const known = new Set(rows.map(({ queue }) => queue))
    const others = (await store.names()).filter((name) => !known.has(name))
    for (const queue of others) {
      rows.push({ queue, handled: false, ...(await store.counts(queue)) })
    }
  }
  return rows
}

function queuesTable(rows: readonly QueueRow[], { paint }: Terminal): string {
  const headings = ['queue', 'waiting', 'delayed', 'running', 'dead', 'oldest', '']
  const cells = rows.map(({ queue, handled, waiting, delayed, running, dead, age }) => [
    printable(queue),
    String(waiting),
    String(delayed),
    String(running),
    dead === 0 ? '0' : paint.red(String(dead)),
    waiting === 0 ? '' : `${Math.round(age)} s`,
    handled ? '' : paint.yellow('has no worker'),
  ])
  return textTable(headings, cells, paint.bold)
}

/** What can be done to the jobs of a queue: `retry` the dead ones, `clear` all that are not running. */
export type QueueChange = 'retry' | 'clear'

/** Changes the jobs of a queue. */
export async function changeQueue(
  workers: readonly QueueWorker[],
  change: QueueChange,
  name: string,
  terminal: Terminal,
): Promise<ExitStatus> {
  const store = await findStore(workers, name)
  const count = await store[change](name)
  const outcome =
    change === 'retry' ? `${jobs(count, 'dead ')} will be retried` : `${jobs(count)} dropped`
  terminal.out(`${name}: ${outcome}\n`)
  return ExitStatus.Ok
}

function jobs(count: number, kind = ''): string {
  return `${count} ${kind}${count === 1 ? 'job' : 'jobs'}`
}

/**
 * The store of a queue, even of one that has jobs but no worker any more.
 * @throws ConfigurationError E_QUEUE if there is no such queue.
 */
async function findStore(workers: readonly QueueWorker[], name: string): Promise<JobStore> {
  const own = workers.find(({ queue }) => queue.name === name)
  if (own !== undefined) return own.queue.store
  for (const store of storesOf(workers)) {
    if ((await store.names()).includes(name)) return store
  }
  throw unknownQueue(workers, name)
}

/** The stores of the project, each once. */
function storesOf(workers: readonly QueueWorker[]): ReadonlySet<JobStore> {
  return new Set(workers.map(({ queue }) => queue.store))
}

function unknownQueue(workers: readonly QueueWorker[], name: string): ConfigurationError {
  const known = workers.map(({ queue }) => queue.name)
  const listed = known.length === 0 ? 'it lists none' : `it lists ${known.join(', ')}`
  return new ConfigurationError(
    'E_QUEUE',
    `the project has no queue "${name}"; ${listed} under "queues" of defineProject()`,
  )
}
