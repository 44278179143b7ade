import { basename, join } from 'node:path'
import { JsonExporter } from './exporters/json.ts'
import { clearFolder, removeWorkerFile, retiredName, workerFile } from './fleet-files.ts'
import type { SnapshotOwner } from './fleet-files.ts'
import { FleetList } from './fleet/fleet-list.ts'
import type { Labels } from './labels.ts'
import type { Metric } from './metric.ts'
import { SnapshotFile } from './snapshot-file.ts'
import { writeSnapshotFile } from './write-snapshot-file.ts'
import { Snapshot } from './snapshot.ts'

/** How the counts of dead workers are kept. */
export interface RetiredOptions {
  readonly folder: string
  /** Seconds between two times the file is written anew, so that it never grows too old to count. */
  readonly interval: number
  /** Is told of what could not be kept. */
  readonly failed: (reason: unknown) => void
}

/** No reader takes so long that it holds a file from before this many deaths. */
const maxNames = 1_000

/**
 * Keeps what dead workers had counted, so that the sums of a fleet never fall, and the list of those
 * who live. One process of the fleet does it, and owns the folder. The file names the workers it
 * holds: a reader that has met the file of one of them as well knows that it would count it twice.
 */
export class Retired {
  readonly #options: RetiredOptions
  // Rounded sums would make a difference in the last digit when they are added to others.
  readonly #exporter = new JsonExporter({ skipNonFinite: true, exactSums: true })
  readonly #list: FleetList
  readonly #total = new Snapshot(0)
  readonly #names: string[] = []
  /** Epoch seconds from which on the counts of the fleet are kept. */
  readonly #start = Date.now() / 1_000
  #work: Promise<void> = Promise.resolve()
  #timer: NodeJS.Timeout | null = null
  #isFailing = false

  constructor(options: RetiredOptions) {
    this.#options = options
    this.#list = new FleetList(options.folder)
  }

  /** Empties the folder of what an earlier fleet left. */
  async start(): Promise<void> {
    const { folder, interval } = this.#options
    await clearFolder(folder)
    await this.#enqueue(() => this.#write())
    this.#timer ??= setInterval(
      () => void this.#enqueue(() => this.#write()),
      interval * 1000,
    ).unref()
  }

  /** Puts a process on the list of those whose snapshots count. */
  admit(owner: SnapshotOwner): void {
    try {
      this.#list.add(owner)
    } catch (reason) {
      this.#options.failed(reason)
    }
  }

  /** Takes over what a worker that has ended had counted, as far as it had written it down. */
  retire(owner: SnapshotOwner): Promise<void> {
    const { folder } = this.#options
    return this.#enqueue(async () => {
      const file = workerFile(folder, owner)
      for (const { timestamp, metrics } of await new SnapshotFile(file).read(0)) {
        for (const [name, metric] of metrics) this.#add(name, metric, timestamp)
      }
      this.#names.push(basename(file))
      if (this.#names.length > maxNames) this.#names.shift()
      // In this order: as long as the worker's file can be read, ours says that it is to be left out.
      await this.#write()
      this.#list.remove(owner)
      await removeWorkerFile(folder, owner)
    })
  }

  /** Ends the writing; the file stays for those who read it last. */
  async stop(): Promise<void> {
    if (this.#timer !== null) clearInterval(this.#timer)
    this.#timer = null
    await this.#work
  }

  #add(name: string, metric: Metric, timestamp: number): void {
    // A gauge says how things are, and they are no more; a series of one process ends with it.
    if (metric.type === 'gauge') return
    if (metric.type === 'histogram') {
      this.#total.add(name, { ...metric, series: metric.series.filter(isShared) }, timestamp)
    } else {
      this.#total.add(name, { ...metric, series: metric.series.filter(isShared) }, timestamp)
    }
  }

  async #write(): Promise<void> {
    this.#total.timestamp = Date.now() / 1_000
    const text = this.#exporter.export(this.#total)
    const more = `,"retired":${JSON.stringify(this.#names)},"start":${this.#start}}\n`
    const file = join(this.#options.folder, retiredName)
    await writeSnapshotFile(file, text.slice(0, -'}\n'.length) + more)
  }

  // One after the other, and one that fails does not keep the next from being done.
  #enqueue(work: () => Promise<void>): Promise<void> {
    this.#work = this.#work.then(work).then(
      () => void (this.#isFailing = false),
      (reason: unknown) => this.#fail(reason),
    )
    return this.#work
  }

  // It is tried every few seconds: once says it, until it works again.
  #fail(reason: unknown): void {
    if (!this.#isFailing) this.#options.failed(reason)
    this.#isFailing = true
  }
}

function isShared({ labels }: { readonly labels: Labels }): boolean {
  return !Object.hasOwn(labels, 'pid')
}
