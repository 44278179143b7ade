import { printable } from '../../base/encoding/printable.ts'
import type { QueueCounts } from '../../queue/job-store.ts'
import type { QueueWorker } from '../../queue/run-queue.ts'
import { ExitStatus } from '../../base/terminal/exit-status.ts'
import { findStore, storesOf, withProjectQueues } from '../project-queues.ts'
import type { ProjectFlags } from '../project-queues.ts'
import type { Terminal } from '../../base/terminal/terminal.ts'
import { textTable } from '../../base/terminal/text-table.ts'

/** Options of `framework queue retry` and `queue clear`. */
export type QueueFlags = ProjectFlags

/** Options of `framework queue list`. */
export interface QueueListFlags extends ProjectFlags {
  readonly json?: boolean
}

interface QueueRow extends QueueCounts {
  readonly queue: string
  /** Whether the project has a handler for it. */
  readonly handled: boolean
}

/** Lists the queues, including those that have jobs but no handler. */
export function listQueues(flags: QueueListFlags, terminal: Terminal): Promise<ExitStatus> {
  return withProjectQueues(flags, async ({ workers }) => {
    const rows = await rowsOf(workers)
    if (flags.json === true) terminal.out(`${JSON.stringify(rows, null, 2)}\n`)
    else if (rows.length === 0) terminal.out('there are no queues\n')
    else terminal.out(tableOf(rows, terminal))
    return ExitStatus.Ok
  })
}

/** Retries the dead jobs of a queue. */
export function retryQueue(
  name: string,
  flags: QueueFlags,
  terminal: Terminal,
): Promise<ExitStatus> {
  return withProjectQueues(flags, async ({ workers }) => {
    const count = await (await findStore(workers, name)).retry(name)
    terminal.out(`${name}: ${jobs(count, 'dead ')} will be retried\n`)
    return ExitStatus.Ok
  })
}

/** Drops the jobs of a queue. */
export function clearQueue(
  name: string,
  flags: QueueFlags,
  terminal: Terminal,
): Promise<ExitStatus> {
  return withProjectQueues(flags, async ({ workers }) => {
    const count = await (await findStore(workers, name)).clear(name)
    terminal.out(`${name}: ${jobs(count)} dropped\n`)
    return ExitStatus.Ok
  })
}

async function rowsOf(workers: readonly QueueWorker[]): Promise<readonly QueueRow[]> {
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

function tableOf(rows: readonly QueueRow[], { paint }: Terminal): string {
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

function jobs(count: number, kind = ''): string {
  return `${count} ${kind}${count === 1 ? 'job' : 'jobs'}`
}
