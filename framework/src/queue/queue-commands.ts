import { ConfigurationError } from '../base/errors.ts'
import { printable } from '../base/encoding/printable.ts'
import { ExitStatus } from '../base/terminal/terminal.ts'
import type { Terminal } from '../base/terminal/terminal.ts'
import { textTable } from '../base/terminal/text-table.ts'
import { untilSignal } from '../base/terminal/until-signal.ts'
import type { Channel } from '../logs/channel.ts'
import type { JobResult, JobOutcomes } from './job.ts'
import type { JobStore, ListedJob, ListedStates, QueueCounts } from './job-store.ts'
import type { QueueWorker } from './run-queue.ts'
import type { Queue } from './queue.ts'

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
  if (worker === undefined) return unknownQueue(workers, name)
  const { waiting, delayed, dead, paused } = await worker.queue.counts()
  const held = paused ? ', and is paused' : ''
  terminal.out(`${name} has ${waiting} waiting, ${delayed} delayed, ${dead} dead jobs${held}\n`)
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

/** Queues of a project, with or without what runs their jobs. */
export type ListedQueues = readonly Pick<QueueWorker, 'queue'>[]

/** A queue and what is in it. */
export interface QueueRow extends QueueCounts {
  readonly queue: string
  /** Whether the project has a worker for it. */
  readonly handled: boolean
}

/** Counts the jobs of queues, and of the others in their stores. */
export async function countQueues(workers: ListedQueues): Promise<readonly QueueRow[]> {
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

function queuesTable(rows: readonly QueueRow[], terminal: Terminal): string {
  const headings = ['queue', 'waiting', 'delayed', 'running', 'dead', 'oldest', '']
  const cells = rows.map(({ queue, handled, waiting, delayed, running, dead, age, paused }) => [
    printable(queue),
    String(waiting),
    String(delayed),
    String(running),
    dead === 0 ? '0' : terminal.paint.red(String(dead)),
    waiting === 0 ? '' : `${Math.round(age)} s`,
    [paused ? 'paused' : '', handled ? '' : 'has no worker']
      .filter((text) => text !== '')
      .map(terminal.paint.yellow)
      .join(', '),
  ])
  return textTable(headings, cells, terminal)
}

const maxListed = 100

/** Lists the newest jobs of a queue in a state. */
export async function listJobs(
  workers: readonly QueueWorker[],
  name: string,
  { state, json }: { readonly state: ListedStates; readonly json: boolean },
  terminal: Terminal,
): Promise<ExitStatus> {
  const store = (await findStore(workers, name)) ?? unknownQueue(workers, name)
  const listed = await store.list(name, state, { offset: 0, limit: maxListed })
  if (json) terminal.out(`${JSON.stringify(listed, null, 2)}\n`)
  else if (listed.length === 0) terminal.out(`${name} has no ${state} jobs\n`)
  else terminal.out(jobsTable(listed, state, terminal))
  return ExitStatus.Ok
}

function jobsTable(listed: readonly ListedJob[], state: ListedStates, terminal: Terminal): string {
  const when = { dead: 'died', waiting: 'due', running: '' }[state]
  const cells = listed.map(({ id, attempts, added, at, reason }) => [
    id,
    String(attempts),
    dateTime(added),
    at === null ? '' : dateTime(at),
    printable(reason ?? ''),
  ])
  return textTable(['job', 'attempts', 'added', when, 'last error'], cells, terminal)
}

function dateTime(epoch: number): string {
  return new Date(epoch * 1_000).toISOString().replace(/\.\d+/, '')
}

/** Changes of a queue: of its dead jobs, of all that are not running, of one, or of the queue itself. */
export const QueueChanges = ['retry', 'clear', 'delete', 'pause', 'resume'] as const
export type QueueChanges = (typeof QueueChanges)[number]

/** Changes a queue or one job of it; says what came of it. */
export async function changeQueue(
  workers: readonly QueueWorker[],
  change: QueueChanges,
  { name, id }: { readonly name: string; readonly id?: string | undefined },
  terminal: Terminal,
): Promise<ExitStatus> {
  const store = (await findStore(workers, name)) ?? unknownQueue(workers, name)
  const { done, text } = await applyChange(store, change, name, id)
  if (done) terminal.out(`${name}: ${text}\n`)
  else terminal.err(`${terminal.errorPaint.red('error')} ${name}: ${text}\n`)
  return done ? ExitStatus.Ok : ExitStatus.UserError
}

/** Changes a queue of a store; `done` is false if a job was not as expected any more. */
export async function applyChange(
  store: JobStore,
  change: QueueChanges,
  name: string,
  id?: string,
): Promise<{ readonly done: boolean; readonly text: string }> {
  if (change === 'pause') {
    await store.pause(name)
    return { done: true, text: 'paused; running jobs are completed, no other is begun' }
  }
  if (change === 'resume') {
    await store.resume(name)
    return { done: true, text: 'not paused any more' }
  }
  const count = await store[change === 'retry' ? 'retry' : 'clear'](name, id)
  const isRetried = change === 'retry'
  if (id === undefined) {
    const text = isRetried ? `${jobs(count, 'dead ')} will be retried` : `${jobs(count)} dropped`
    return { done: true, text }
  }
  const done = count > 0
  if (done) return { done, text: `job ${id} ${isRetried ? 'will be retried' : 'deleted'}` }
  return { done, text: `job ${id} is ${isRetried ? 'not dead' : 'running or gone'}` }
}

function jobs(count: number, kind = ''): string {
  return `${count} ${kind}${count === 1 ? 'job' : 'jobs'}`
}

/** The store of a queue, even of one that has jobs but no worker any more; null if there is no such queue. */
export async function findStore(workers: ListedQueues, name: string): Promise<JobStore | null> {
  const own = workers.find(({ queue }) => queue.name === name)
  if (own !== undefined) return own.queue.store
  for (const store of storesOf(workers)) {
    if ((await store.names()).includes(name)) return store
  }
  return null
}

/** The stores of the project, each once. */
function storesOf(workers: ListedQueues): ReadonlySet<JobStore> {
  return new Set(workers.map(({ queue }) => queue.store))
}

function unknownQueue(workers: readonly QueueWorker[], name: string): never {
  const known = workers.map(({ queue }) => queue.name)
  const listed = known.length === 0 ? 'it lists none' : `it lists ${known.join(', ')}`
  throw new ConfigurationError(
    'E_QUEUE',
    `the project has no queue "${name}"; ${listed} under "queues" of defineProject()`,
  )
}

const redrawMs = 200
const countMs = 1_000
const clearLine = '\r\u001B[K'

/** Shows the progress in one line of a screen; prints nothing to files and pipes. */
export class QueueProgress {
  readonly #queue: Queue
  readonly #terminal: Terminal
  readonly #tally: Record<JobOutcomes, number> = { done: 0, failed: 0, dead: 0, lost: 0 }
  readonly #startMs = performance.now()
  readonly #timers: NodeJS.Timeout[] = []
  #waiting = ''
  #shown = ''

  constructor(queue: Queue, terminal: Terminal) {
    this.#queue = queue
    this.#terminal = terminal
    if (!terminal.screen) return
    this.#timers.push(setInterval(() => this.#draw(), redrawMs).unref())
    this.#timers.push(setInterval(() => void this.#count(), countMs).unref())
    void this.#count()
  }

  /** Counts a result; `print` may write its own lines while the progress is hidden. */
  add({ outcome }: JobResult, print: () => void): void {
    this.#tally[outcome] += 1
    this.#hide()
    print()
  }

  /** Removes the line. */
  stop(): void {
    for (const timer of this.#timers.splice(0)) clearInterval(timer)
    this.#hide()
  }

  #draw(): void {
    const { bold, green, yellow, red, dim } = this.#terminal.paint
    const { done, failed, dead } = this.#tally
    const seconds = (performance.now() - this.#startMs) / 1_000
    const parts = [
      bold(this.#queue.name),
      `${green(String(done))} done`,
      failed > 0 ? `${yellow(String(failed))} failed` : '',
      dead > 0 ? `${red(String(dead))} dead` : '',
      this.#waiting,
      dim(`${(done / seconds).toFixed(done < 10 * seconds ? 1 : 0)} a second`),
    ]
    const line = parts.filter((part) => part !== '').join('  ')
    if (line === this.#shown) return
    this.#terminal.out(clearLine + line)
    this.#shown = line
  }

  #hide(): void {
    if (this.#shown !== '') this.#terminal.out(clearLine)
    this.#shown = ''
  }

  // A failure to count is ignored.
  async #count(): Promise<void> {
    const counts = await this.#queue.counts().catch(() => null)
    this.#waiting = counts === null ? '' : `${counts.waiting} waiting`
  }
}
