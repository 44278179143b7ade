import { glob } from 'node:fs/promises'
import { basename } from 'node:path'
import { setImmediate } from 'node:timers/promises'
import { finiteMetric } from './finite-metric.ts'
import { isFleetFile, retiredName, temporary } from './fleet-files.ts'
import type { FleetMembers } from './fleet/fleet-list.ts'
import { LabelMemory } from './label-memory.ts'
import type { SnapshotDocument } from './read-document.ts'
import { SnapshotFile } from './snapshot-file.ts'
import { Snapshot } from './snapshot.ts'

/** What this process has just written to its file. */
export interface OwnSnapshot {
  readonly file: string
  readonly snapshot: Snapshot
}

type ReadFile = readonly [name: string, documents: readonly SnapshotDocument[]]

/** Merges the snapshot files of a fleet, and remembers what it read for the next time. */
export class SnapshotReader {
  readonly #pattern: string
  readonly #maxAge: number
  readonly #members: FleetMembers
  readonly #labels = new LabelMemory()
  #files: ReadonlyMap<string, SnapshotFile> = new Map()

  /**
   * Reads the files that match a glob pattern. Files last written more than `maxAge` seconds ago
   * are left out when that is above 0. While there are `members`, they say which files of workers
   * count, however old those are.
   */
  constructor(
    pattern: string,
    maxAge: number,
    members: FleetMembers = () => Promise.resolve(null),
  ) {
    this.#pattern = pattern
    this.#maxAge = maxAge
    this.#members = members
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
   * which names it, then it leaves the list, and then its own file goes. So the list is read first
   * and that file last: a worker whose file was gone is in there, and one that is in both counts
   * once.
   */
  async #documents(own: OwnSnapshot | null): Promise<SnapshotDocument[]> {
    const members = await this.#members()
    const ownName = own === null ? '' : basename(own.file)
    const counts = (path: string): boolean => {
      const name = basename(path)
      if (name === ownName) return false
      return members === null || isRetired(path) || !isFleetFile(name) || members.has(name)
    }
    const readAll = (chosen: readonly (readonly [string, SnapshotFile])[]): Promise<ReadFile[]> =>
      Promise.all(
        chosen.map(async ([path, file]) => {
          const name = basename(path)
          const maxAge = members !== null && isFleetFile(name) ? 0 : this.#maxAge
          return [name, await file.read(maxAge)] as const
        }),
      )
    const ownFile: readonly ReadFile[] =
      own === null ? [] : [[ownName, [this.#documentOf(own.snapshot)]]]
    const files = [...(await this.#list())].filter(([path]) => counts(path))
    const living = await readAll(files.filter(([path]) => !isRetired(path)))
    const dead = await readAll(files.filter(([path]) => isRetired(path)))
    const read = [...ownFile, ...living, ...dead]
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
