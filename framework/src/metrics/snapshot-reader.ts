import { glob } from 'node:fs/promises'
import { basename } from 'node:path'
import { setImmediate } from 'node:timers/promises'
import { isFleetFile, retiredName, temporarySuffix } from './fleet-files.ts'
import type { FleetMembers } from './fleet-list.ts'
import { labelCache } from './label-cache.ts'
import { finiteMetric } from './metric.ts'
import type { SnapshotDocument } from './read-document.ts'
import { mergeStatements } from './slowest-statements.ts'
import type { StatementStats } from './slowest-statements.ts'
import { SnapshotFile } from './snapshot-file.ts'
import { Snapshot } from './snapshot.ts'

/** The snapshot that this process has just written to its file. */
export interface OwnSnapshot {
  readonly file: string
  readonly snapshot: Snapshot
}

type ReadFile = readonly [name: string, document: SnapshotDocument]

/** Merges the snapshot files of a fleet, and caches what it read. */
export class SnapshotReader {
  readonly #pattern: string
  readonly #maxAge: number
  readonly #members: FleetMembers
  readonly #labels = labelCache()
  #files: ReadonlyMap<string, SnapshotFile> = new Map()

  /**
   * Reads the files that match a glob pattern. With `maxAge` above 0, files older than that many
   * seconds are skipped. When `members` are known, they decide which workers' files count instead.
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
   * Merges the current files in order of their names. Unreadable and invalid files are skipped.
   * Yields to the event loop between files. `own` is the snapshot that this process has just written;
   * its file is not read.
   */
  async merge(own: OwnSnapshot | null = null): Promise<Snapshot> {
    const merged = new Snapshot(0)
    const others = await this.#documents(own?.file ?? null)
    const documents = own === null ? others : [documentOf(own.snapshot), ...others]
    for (const { timestamp, metrics } of documents) {
      for (const [name, metric] of metrics) merged.add(name, metric, timestamp)
      merged.timestamp = Math.max(merged.timestamp, timestamp)
      await setImmediate()
    }
    if (merged.timestamp === 0) merged.timestamp = Date.now() / 1_000
    return merged
  }

  /** The slowest statements of all processes: `own` are those of this one, whose file is not read. */
  async statements(own: readonly StatementStats[], file: string): Promise<StatementStats[]> {
    const others = await this.#documents(file)
    return mergeStatements([own, ...others.map(({ statements }) => statements)])
  }

  /**
   * The documents of all files but one. When a worker dies, its values are added to the `retired` file, which
   * names it; then it is removed from the list, and last its own file is deleted. So the list is read
   * first and the `retired` file last: no worker is missed, and one found in both counts once.
   */
  async #documents(skipped: string | null): Promise<SnapshotDocument[]> {
    const members = await this.#members()
    const ownName = skipped === null ? '' : basename(skipped)
    const counts = (path: string): boolean => {
      const name = basename(path)
      if (name === ownName) return false
      return members === null || isRetired(path) || !isFleetFile(name) || members.has(name)
    }
    // One after the other: parsing one takes up to a few milliseconds.
    const readAll = async (
      chosen: readonly (readonly [string, SnapshotFile])[],
    ): Promise<ReadFile[]> => {
      const read: ReadFile[] = []
      for (const [path, file] of chosen) {
        const name = basename(path)
        const maxAge = members !== null && isFleetFile(name) ? 0 : this.#maxAge
        const document = await file.read(maxAge)
        if (document !== null) read.push([name, document])
        await setImmediate()
      }
      return read
    }
    const files = [...(await this.#list())].filter(([path]) => counts(path))
    const living = await readAll(files.filter(([path]) => !isRetired(path)))
    const dead = await readAll(files.filter(([path]) => isRetired(path)))
    const read = [...living, ...dead]
    const retired = new Set(read.flatMap(([, document]) => document.retired))
    return read.flatMap(([name, document]) => (retired.has(name) ? [] : [document]))
  }

  async #list(): Promise<ReadonlyMap<string, SnapshotFile>> {
    const paths: string[] = []
    for await (const path of glob(this.#pattern)) {
      if (!path.endsWith(temporarySuffix)) paths.push(path)
    }
    this.#files = new Map(
      paths
        .sort()
        .map((path) => [path, this.#files.get(path) ?? new SnapshotFile(path, this.#labels)]),
    )
    return this.#files
  }
}

/** The document as if it had been read from a file. */
function documentOf({ timestamp, metrics }: Snapshot): SnapshotDocument {
  const finite = Object.entries(metrics).map(
    ([name, metric]) => [name, finiteMetric(metric)] as const,
  )
  return { timestamp, metrics: finite, retired: [], statements: [] }
}

function isRetired(path: string): boolean {
  return basename(path) === retiredName
}
