import { join } from 'node:path'
import { setImmediate as nextTurn } from 'node:timers/promises'
import { settledWithin } from '../base/pending-work.ts'
import { Throwables } from '../errors/throwables/throwables.ts'
import type { ReportContext } from '../errors/throwables/throwables.ts'
import { toError } from '../base/to-error.ts'
import { epochSeconds } from '../base/time/epoch-seconds.ts'
import { Crumbs, crumbSteps } from '../activity/crumbs.ts'
import { CurrentWork } from '../activity/current-work.ts'
import type { Step } from '../activity/step.ts'
import { Steps } from '../activity/steps.ts'
import { isFatal } from '../incidents/incident.ts'
import type { Logs } from '../logs/logs.ts'
import { parseBatch } from './error-batch.ts'
import { ErrorLimits } from './error-group.ts'
import type { ErrorBatch, ErrorGroup } from './error-group.ts'
import type { ErrorStore } from './sql-errors.ts'
import type { ErrorTeller } from './error-teller.ts'
import { PendingErrors } from './pending-errors.ts'
import { WaitingFile, waitingFileName } from './waiting-file.ts'

/** Options of `ErrorInbox`. */
export interface ErrorInboxOptions {
  /** Folder of the project, for relative file names. */
  readonly root: string
  /** Where the file of waiting errors is. @default storage of the project */
  readonly storageFolder?: string
  /** The release that runs; empty if unknown. */
  readonly release?: string
  /**
   * Called once each time an error comes back after it was resolved, by one of all processes: the
   * place to send a mail.
   */
  readonly onReturn?: (group: ErrorGroup) => unknown
  /** Tells of news. @default nobody is told */
  readonly teller?: ErrorTeller
  /** Receives a line on the channel `inbox` when errors cannot be stored. */
  readonly logs?: Logs
  readonly throwables?: Throwables
  /** Epoch seconds. */
  readonly clock?: () => number
}

/** Between two writes: at most 20 a minute of each group. */
const intervalMs = 3_000
/** How soon the first error after a while is stored. */
const tickMs = 1_000
const maxPauseMs = 60_000
/** How often the file is looked at, and how often the store is swept. */
const fileMs = 30_000
const sweepMs = 3_600_000
/** How long `close` waits for the database. */
const closeMs = 2_000
/** Of failed statements, between two writes. */
const maxCallers = 50

/**
 * Collects the errors of this process in groups until it is closed. Reporting only counts in memory; at
 * most every three seconds the counts are stored, with one sample of each group. While the database is
 * away they wait in `storage/errors-waiting.jsonl`.
 */
export class ErrorInbox {
  readonly store: ErrorStore
  /** Folder of the project. */
  readonly root: string
  readonly release: string
  readonly #pending: PendingErrors
  readonly #waiting: WaitingFile
  readonly #throwables: Throwables
  readonly #onReturn: (group: ErrorGroup) => unknown
  readonly #teller: ErrorTeller | null
  readonly #warn: (message: string, details: Readonly<Record<string, unknown>>) => void
  readonly #nowMs: () => number
  readonly #stops: readonly (() => void)[]
  /** Groups of which a sample waits in the file, while the database is away. */
  readonly #sampled = new Set<string>()
  #flushing: Promise<void> | null = null
  /** Taken from memory and not stored yet. */
  #writing: ErrorBatch[] = []
  #callers = 0
  #isRefusing = false
  /** By `performance.now()`. */
  #flushedMs = -Infinity
  #pauseMs = 0
  #retryMs = 0
  #fileDueMs = 0
  #sweepDueMs: number
  #lost = 0

  constructor(store: ErrorStore, options: ErrorInboxOptions) {
    const { root, release = '', onReturn = (): void => {}, logs, clock = epochSeconds } = options
    const { storageFolder = join(root, 'storage'), throwables = Throwables } = options
    this.store = store
    this.root = root
    this.release = release
    this.#nowMs = () => Math.round(clock() * 1000)
    this.#pending = new PendingErrors({ root, release, nowMs: this.#nowMs })
    this.#waiting = new WaitingFile(join(storageFolder, waitingFileName))
    this.#waiting.create()
    this.#throwables = throwables
    this.#onReturn = onReturn
    this.#teller = options.teller ?? null
    this.#warn = (message, details) => logs?.channel('inbox').warn(message, details)
    // Not at once: a fleet would sweep once per worker.
    this.#sweepDueMs = this.#nowMs() + sweepMs * Math.random()
    // An interval instead of a timer per report, which would belong to the request that failed.
    const timer = setInterval(() => this.#tick(), tickMs).unref()
    this.#stops = [
      throwables.add((error, context) => this.#report(error, context)),
      CurrentWork.follow(),
      Crumbs.keep(),
      Steps.Instance.watch(crumbSteps),
      // A failed statement is known only while somebody watches.
      Steps.Instance.watch({ minMs: Infinity, ended: (step) => this.#noteCaller(step) }),
      () => clearInterval(timer),
    ]
  }

  /** Epoch seconds. */
  get now(): number {
    return this.#nowMs() / 1000
  }

  /** How many reports could neither be stored nor kept waiting. */
  get lost(): number {
    return this.#lost + this.#pending.dropped
  }

  /** Stores what is pending. Never rejects; calls at the same time share one run. */
  flush(): Promise<void> {
    this.#flushing ??= this.#flush().finally(() => {
      this.#flushing = null
    })
    return this.#flushing
  }

  /** Deletes what is too old; resolves with the number of rows. */
  sweep(): Promise<number> {
    return this.store.sweep()
  }

  /** Stops collecting, and stores what is pending or leaves it in the file. */
  async close(): Promise<void> {
    for (const stop of this.#stops) stop()
    await settledWithin(this.#flushAll(), closeMs)
    this.#keepSync(this.#writing)
  }

  #tick(): void {
    if (performance.now() - this.#flushedMs >= intervalMs) void this.flush()
    void this.#teller?.look()
  }

  #report(error: Error, context: ReportContext): void {
    this.#pending.add(error, context)
    // The process ends: there may be no time for a statement.
    if (isFatal({ context }) && this.#throwables.exit) this.#keepSync([])
  }

  // Where a synchronous statement was run is known only now; reading it takes long, so only of a few.
  #noteCaller(step: Step): void {
    if (step.failure === null || this.#callers >= maxCallers) return
    this.#callers += 1
    void step.caller
  }

  #keepSync(unfinished: readonly ErrorBatch[]): void {
    const batches = [...unfinished, ...this.#pending.take()]
    if (batches.length === 0) return
    if (!this.#waiting.appendSync(batches.map(asLine))) this.#lost += countOf(batches)
    this.#fileDueMs = 0
  }

  async #flushAll(): Promise<void> {
    await this.#flushing
    await this.flush()
  }

  async #flush(): Promise<void> {
    const now = this.#nowMs()
    if (now < this.#retryMs) return
    if (!this.#pending.isEmpty) this.#flushedMs = performance.now()
    try {
      await this.#storePending()
      if (this.#nowMs() >= this.#retryMs && now >= this.#fileDueMs) await this.#storeWaiting()
      if (now >= this.#sweepDueMs) await this.#sweepNow()
    } catch (thrown) {
      // Only the file can fail here.
      this.#warn('errors cannot wait in their file', { reason: toError(thrown).message })
    }
  }

  async #storePending(): Promise<void> {
    this.#callers = 0
    this.#writing = this.#pending.take()
    await this.#store(this.#writing)
    await this.#keep(this.#writing.map((batch) => this.#sampledOnce(batch)))
    this.#writing = []
  }

  async #storeWaiting(): Promise<void> {
    this.#fileDueMs = this.#nowMs() + fileMs
    const taken = await this.#waiting.take()
    if (taken === null) return
    const batches = batchesIn(taken.lines).map((batch) => this.#withRelease(batch))
    await this.#store(batches)
    await this.#keep(batches)
    await taken.done()
  }

  // The primary of a fleet does not know the release.
  #withRelease(batch: ErrorBatch): ErrorBatch {
    return batch.release === '' ? { ...batch, release: this.release } : batch
  }

  /** Takes batches out of a list as they are stored, until the database turns out to be away. */
  async #store(batches: ErrorBatch[]): Promise<void> {
    for (let batch = batches[0]; batch !== undefined; batch = batches[0]) {
      try {
        const returned = await this.store.record(batch, this.#teller !== null)
        this.#recovered()
        if (returned !== null) this.#tellReturn(returned)
      } catch (thrown) {
        if (this.store.isUnavailable(thrown)) return this.#paused(thrown)
        this.#refused(batch, thrown)
      }
      batches.shift()
      // Statements of SQLite block: requests get their turn between two groups.
      await nextTurn()
    }
  }

  async #keep(batches: readonly ErrorBatch[]): Promise<void> {
    if (batches.length === 0) return
    const lines = batches.map(asLine)
    const dropped = await this.#waiting.append(lines).catch(() => lines)
    this.#lost += countOf(batchesIn(dropped))
    this.#fileDueMs = 0
  }

  // Otherwise the samples of one group would soon fill the file.
  #sampledOnce(batch: ErrorBatch): ErrorBatch {
    const { fingerprint } = batch
    if (this.#sampled.size >= ErrorLimits.groups) this.#sampled.clear()
    if (this.#sampled.has(fingerprint)) return { ...batch, sample: null }
    this.#sampled.add(fingerprint)
    return batch
  }

  #paused(thrown: unknown): void {
    if (this.#pauseMs === 0) {
      const { message } = toError(thrown)
      this.#warn(`errors wait in storage/${waitingFileName}: the database is away`, {
        reason: message,
      })
    }
    this.#pauseMs = Math.min(Math.max(intervalMs, this.#pauseMs * 2), maxPauseMs)
    this.#retryMs = this.#nowMs() + this.#pauseMs
  }

  #recovered(): void {
    if (this.#pauseMs === 0) return
    this.#pauseMs = 0
    this.#sampled.clear()
  }

  // The database works and does not take it, for instance because its tables are missing.
  #refused({ count }: ErrorBatch, thrown: unknown): void {
    if (!this.#isRefusing)
      this.#warn('errors cannot be stored', { reason: toError(thrown).message })
    this.#isRefusing = true
    this.#lost += count
  }

  #tellReturn(group: ErrorGroup): void {
    const telling = async (): Promise<unknown> => this.#onReturn(group)
    telling().catch((thrown: unknown) => this.#throwables.notify(thrown, { service: 'inbox' }))
  }

  async #sweepNow(): Promise<void> {
    this.#sweepDueMs = this.#nowMs() + sweepMs
    await this.store.sweep().catch((thrown: unknown) => {
      this.#warn('old errors cannot be deleted', { reason: toError(thrown).message })
    })
  }
}

function asLine(batch: ErrorBatch): string {
  return JSON.stringify(batch)
}

function batchesIn(lines: readonly string[]): ErrorBatch[] {
  return lines.flatMap((line) => parseBatch(line) ?? [])
}

function countOf(batches: readonly ErrorBatch[]): number {
  return batches.reduce((sum, { count }) => sum + count, 0)
}
