import { glob } from 'node:fs/promises'
import { basename } from 'node:path'
import { setImmediate } from 'node:timers/promises'
import { finiteMetric } from './finite-metric.ts'
import { retiredName, temporary } from './fleet-files.ts'
import { LabelMemory } from './label-memory.ts'
import type { SnapshotDocument } from './read-document.ts'
import { SnapshotFile } from './snapshot-file.ts'
import { Snapshot } from './snapshot.ts'

/** What this process has just written to its file. */
export interface OwnSnapshot {
  readonly file: string
  readonly snapshot: Snapshot
}

/** Merges the snapshot files of a fleet, and remembers what it read for the next time. */
export class SnapshotReader {
  readonly #pattern: string
  readonly #maxAge: number
  readonly #labels = new LabelMemory()
  #files: ReadonlyMap<string, SnapshotFile> = new Map()

  /**
   * Reads the files that match a glob pattern. Files last written more than `maxAge` seconds ago
   * are left out when that is above 0.
   */
  constructor(pattern: string, maxAge: number) {
    this.#pattern = pattern
    this.#maxAge = maxAge
  }

  /**
   * Merges what the files hold now, in order of their names. What cannot be read or is no snapshot
   * is left out. Others get their turn while large files are read. `own` is what this process has
   * just written: it counts in place of its file, which need not be read.
   */
  async merge(own: OwnSnapshot | null = null): Promise<Snapshot> {
    const merged = new Snapshot(0)
    for (const { timestamp, metrics, distinct = false } of await this.#documents(own)) {
      for (const [name, metric] of metrics) merged.add(name, metric, timestamp, distinct)
      merged.timestamp = Math.max(merged.timestamp, timestamp)
      await setImmediate()
    }
    if (merged.timestamp === 0) merged.timestamp = Date.now() / 1_000
    return merged
  }

  /**
   * The documents of all files. When a worker dies, its values move to the file of the retired,
   * which names it, and then its own file goes. So that file is read last: a worker whose file was
   * gone is in there, and one that is in both counts once.
   */
  async #documents(own: OwnSnapshot | null): Promise<SnapshotDocument[]> {
    const ownName = own === null ? '' : basename(own.file)
    const read: [name: string, documents: readonly SnapshotDocument[]][] = []
    if (own !== null) read.push([ownName, [this.#documentOf(own.snapshot)]])
    const files = [...(await this.#list())].filter(([path]) => basename(path) !== ownName)
    const readAll = (chosen: typeof files): Promise<typeof read> =>
      Promise.all(
        chosen.map(async ([path, file]) => [basename(path), await file.read(this.#maxAge)]),
      )
    read.push(...(await readAll(files.filter(([path]) => !isRetired(path)))))
    read.push(...(await readAll(files.filter(([path]) => isRetired(path)))))
    const retired = new Set(read.flatMap(([, parts]) => parts.flatMap((part) => part.retired)))
    return read.flatMap(([name, documents]) => (retired.has(name) ? [] : documents))
  }

  /** As it would have been read from a file. */
  #documentOf({ timestamp, metrics }: Snapshot): SnapshotDocument {
    const labels = this.#labels.read()
    for (const [name, { series }] of Object.entries(metrics)) {
      for (const one of series) labels.next(name, one.labels)
    }
    const finite = Object.entries(metrics).map(
      ([name, metric]) => [name, finiteMetric(metric)] as const,
    )
    return { timestamp, metrics: finite, retired: [], distinct: true }
  }

  async #list(): Promise<ReadonlyMap<string, SnapshotFile>> {
    const paths: string[] = []
    for await (const path of glob(this.#pattern)) {
      if (!path.endsWith(temporary)) paths.push(path)
    }
    this.#files = new Map(
      paths
        .sort()
        .map((path) => [path, this.#files.get(path) ?? new SnapshotFile(path, this.#labels)]),
    )
    return this.#files
  }
}

function isRetired(path: string): boolean {
  return basename(path) === retiredName
}
