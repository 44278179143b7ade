import { basename, join } from 'node:path'
import { privateFile } from '../base/files/private-files.ts'
import { JsonExporter } from './exporters/json.ts'
import { clearFolder, removeWorkerFile, retiredName, workerFile } from './fleet-files.ts'
import type { SnapshotOwner } from './fleet-files.ts'
import { writeFleetList } from './fleet-list.ts'
import type { Labels } from './labels.ts'
import { filterSeries } from './metric.ts'
import type { Metric } from './metric.ts'
import { SnapshotFile } from './snapshot-file.ts'
import { withMembers, writeSnapshotFile } from './write-snapshot-file.ts'
import { Snapshot } from './snapshot.ts'

/** Options of `Retired`. */
export interface RetiredOptions {
  readonly folder: string
  /** Seconds between two writes of the file, so that it never exceeds `maxAge`. */
  readonly interval: number
  /** Called when the totals could not be written. */
  readonly failed: (reason: unknown) => void
}

/** No reader is so slow that it still has a file from this many deaths ago. */
const maxNames = 1_000

/**
 * Keeps the totals of dead workers, so that the sums of a fleet never decrease, and the list of live
 * workers. One process of the fleet does this and owns the folder. The file names the workers it
 * includes, so that a reader that also found one of their files does not count it twice.
 */
export class Retired {
  readonly #options: RetiredOptions
  // Adding rounded sums to others would change the last digit.
  readonly #exporter = new JsonExporter({ skipNonFinite: true, exactSums: true })
  /** The files of live workers. */
  readonly #live = new Set<string>()
  readonly #total = new Snapshot(0)
  readonly #names: string[] = []
  /** Epoch seconds since which the fleet has been counting. */
  readonly #start = Date.now() / 1_000
  #work: Promise<void> = Promise.resolve()
  #timer: NodeJS.Timeout | undefined
  #isFailing = false

  constructor(options: RetiredOptions) {
    this.#options = options
  }

  /** Removes the files of an earlier fleet and starts writing. */
  async start(): Promise<void> {
    const { folder, interval } = this.#options
    await clearFolder(folder)
    const write = (): Promise<void> => this.#enqueue(() => this.#write())
    await write()
    this.#timer ??= setInterval(() => void write(), interval * 1000).unref()
  }

  /** Adds a process to the list of live workers. */
  admit(owner: SnapshotOwner): void {
    const { folder } = this.#options
    this.#live.add(basename(workerFile(folder, owner)))
    try {
      writeFleetList(folder, this.#live)
    } catch (reason) {
      this.#options.failed(reason)
    }
  }

  /** Adds the last snapshot of a worker that has ended to the totals. */
  retire(owner: SnapshotOwner): Promise<void> {
    const { folder } = this.#options
    return this.#enqueue(async () => {
      const file = workerFile(folder, owner)
      const last = await new SnapshotFile(file).read(0)
      for (const [name, metric] of last?.metrics ?? [])
        this.#add(name, metric, last?.timestamp ?? 0)
      this.#names.push(basename(file))
      if (this.#names.length > maxNames) this.#names.shift()
      // In this order: as long as the worker's file exists, our file says that it must be skipped.
      await this.#write()
      if (this.#live.delete(basename(file))) writeFleetList(folder, this.#live)
      await removeWorkerFile(folder, owner)
    })
  }

  /** Stops writing; the file remains for the last readers. */
  async stop(): Promise<void> {
    clearInterval(this.#timer)
    await this.#work
  }

  #add(name: string, metric: Metric, timestamp: number): void {
    // A gauge describes the present, and a series with a `pid` ends with its process.
    if (metric.type === 'gauge') return
    this.#total.add(name, filterSeries(metric, isShared), timestamp)
  }

  async #write(): Promise<void> {
    this.#total.timestamp = Date.now() / 1_000
    const json = this.#exporter.export(this.#total)
    const text = withMembers(json, { retired: this.#names, start: this.#start })
    await writeSnapshotFile(join(this.#options.folder, retiredName), text, privateFile)
  }

  // One after the other; a failure does not stop the next ones.
  #enqueue(work: () => Promise<void>): Promise<void> {
    this.#work = this.#work.then(work).then(
      () => void (this.#isFailing = false),
      (reason: unknown) => this.#fail(reason),
    )
    return this.#work
  }

  // It is retried every few seconds: reported once until it works again.
  #fail(reason: unknown): void {
    if (!this.#isFailing) this.#options.failed(reason)
    this.#isFailing = true
  }
}

function isShared({ labels }: { readonly labels: Labels }): boolean {
  return !Object.hasOwn(labels, 'pid')
}
