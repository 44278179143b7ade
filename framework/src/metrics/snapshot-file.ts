import { constants } from 'node:fs'
import type { Stats } from 'node:fs'
import { open, stat } from 'node:fs/promises'
import { labelCache } from './label-cache.ts'
import type { ReadLabels } from './label-cache.ts'
import { readDocument } from './read-document.ts'
import type { SnapshotDocument } from './read-document.ts'

/** Larger files cannot be snapshots. */
const maxBytes = 64 * 1_024 * 1_024

/** A snapshot file that is read repeatedly; while it does not change, it is not parsed again. */
export class SnapshotFile {
  readonly #path: string
  // Every version is a new file that was renamed into place, so its stats identify it.
  #version = ''
  #document: SnapshotDocument | null = null
  readonly #labels: ReadLabels

  /** The label cache may be shared by files with similar labels. */
  constructor(path: string, labels: ReadLabels = labelCache()) {
    this.#path = path
    this.#labels = labels
  }

  /**
   * Its document; null when the file is too old, too large or not a valid snapshot. `maxAge` is in
   * seconds, 0 for any age.
   */
  read(maxAge: number): Promise<SnapshotDocument | null> {
    return this.#read(maxAge).catch(() => null)
  }

  async #read(maxAge: number): Promise<SnapshotDocument | null> {
    const stats = await stat(this.#path)
    if (isTooOld(stats, maxAge)) return null
    if (versionOf(stats) === this.#version) return this.#document
    // Non-blocking, so that opening a named pipe cannot hang.
    const file = await open(this.#path, constants.O_RDONLY | constants.O_NONBLOCK)
    try {
      const opened = await file.stat()
      if (!opened.isFile() || opened.size > maxBytes || isTooOld(opened, maxAge)) return null
      this.#version = ''
      const text = await file.readFile('utf8')
      this.#document = readDocument(JSON.parse(text), this.#labels)
      this.#version = versionOf(opened)
      return this.#document
    } finally {
      await file.close()
    }
  }
}

function versionOf({ ino, size, mtimeMs, ctimeMs }: Stats): string {
  return `${ino} ${size} ${mtimeMs} ${ctimeMs}`
}

function isTooOld({ mtimeMs }: Stats, maxAge: number): boolean {
  return maxAge > 0 && Date.now() - mtimeMs > maxAge * 1_000
}
