import { join } from 'node:path'
import type { ReportContext, Reporter } from '../errors/throwables/throwables.ts'
import { Crumbs } from '../activity/crumbs.ts'
import { CurrentWork } from '../activity/current-work.ts'
import { incidentOf } from '../incidents/incident.ts'
import { OpenBatch } from './error-batch.ts'
import type { Occurrence } from './error-batch.ts'
import { sampleOf } from './error-sample.ts'
import type { ErrorBatch } from './error-group.ts'
import { Fingerprints } from './fingerprints.ts'
import { WaitingFile, waitingFileName } from './waiting-file.ts'

/** Options of `PendingErrors`. */
export interface PendingErrorsOptions {
  /** Folder of the project. */
  readonly root: string
  readonly release: string
  readonly nowMs: () => number
}

/** Groups between two writes: each is a transaction, and more at once say nothing more. */
export const maxPendingGroups = 250
/** Samples of all groups between two writes: describing an error can take a millisecond. */
const maxSamples = 50

/**
 * Errors that are not stored yet, added up by group. The first of a group is described; the others only
 * count, so that ten thousand a second cost little and use no more memory than one.
 */
export class PendingErrors {
  readonly #options: PendingErrorsOptions
  readonly #fingerprints: Fingerprints
  #batches = new Map<string, OpenBatch>()
  #samples = 0
  /** How many were not counted because too many groups were pending. */
  dropped = 0

  constructor(options: PendingErrorsOptions) {
    this.#options = options
    this.#fingerprints = new Fingerprints(options.root)
  }

  get isEmpty(): boolean {
    return this.#batches.size === 0
  }

  add(error: Error, context: ReportContext): void {
    const { suppressed } = context
    const { activity } = CurrentWork.context()
    const fingerprint = this.#fingerprints.of(error, activity?.title)
    const occurrence: Occurrence = {
      error,
      nowMs: this.#options.nowMs(),
      count: typeof suppressed === 'number' ? 1 + suppressed : 1,
      activity,
    }
    const known = this.#batches.get(fingerprint.id)
    if (known !== undefined) return known.add(occurrence)
    if (this.#batches.size >= maxPendingGroups) return void (this.dropped += occurrence.count)
    const batch = new OpenBatch(fingerprint, occurrence, this.#options.release)
    this.#batches.set(fingerprint.id, batch)
    batch.add(occurrence)
    this.#describe(batch, error, context)
  }

  /** Takes all batches, to be stored. */
  take(): ErrorBatch[] {
    const batches = [...this.#batches.values()].map((batch) => batch.close())
    this.#batches = new Map()
    this.#samples = 0
    return batches
  }

  #describe(batch: OpenBatch, error: Error, context: ReportContext): void {
    if (this.#samples >= maxSamples) return
    this.#samples += 1
    const { release, root } = this.#options
    const incident = incidentOf(error, context, batch.firstMs / 1000)
    batch.sample = sampleOf(incident, release, root, Crumbs.of(CurrentWork.context().activity))
  }
}

/**
 * A reporter for a process without a database, the primary of a fleet: leaves its errors, most of them
 * crashes of workers, for the inbox of the next worker, if the project has an inbox.
 */
export function primaryReporter(root: string): Reporter {
  const waiting = new WaitingFile(join(root, 'storage', waitingFileName))
  const pending = new PendingErrors({ root, release: '', nowMs: Date.now })
  return (error, context) => {
    pending.add(error, context)
    waiting.appendSync(pending.take().map((batch) => JSON.stringify(batch)))
  }
}
