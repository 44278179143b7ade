import { constants } from 'node:fs'
import type { Stats } from 'node:fs'
import { open, stat } from 'node:fs/promises'
import { setImmediate } from 'node:timers/promises'
import { documentParts } from './document-parts.ts'
import { LabelCache } from './label-cache.ts'
import { readDocument } from './read-document.ts'
import type { SnapshotDocument } from './read-document.ts'
import { rereadDocuments } from './reread-documents.ts'

/** Larger files cannot be snapshots. */
const maxBytes = 64 * 1_024 * 1_024

/**
 * A snapshot file that is read repeatedly. An unchanged file is not read again; in a changed one
 * usually only the numbers differ.
 */
export class SnapshotFile {
  readonly #path: string
  // Every version is a new file that was renamed into place, so its stats identify it.
  #version = ''
  #documents: readonly SnapshotDocument[] = []
  readonly #labels: LabelCache

  /** The label cache may be shared by files with similar labels. */
  constructor(path: string, labels: LabelCache = new LabelCache()) {
    this.#path = path
    this.#labels = labels
  }

  /**
   * The parts of the document; empty when the file is too old, too large or not a valid snapshot.
   * `maxAge` is in seconds, 0 for any age. Yields to the event loop while parsing.
   */
  async read(maxAge: number): Promise<readonly SnapshotDocument[]> {
    try {
      return await this.#read(maxAge)
    } catch {
      return []
    }
  }

  async #read(maxAge: number): Promise<readonly SnapshotDocument[]> {
    const stats = await stat(this.#path)
    if (versionOf(stats) === this.#version) return isTooOld(stats, maxAge) ? [] : this.#documents
    return this.#readChanged(maxAge)
  }

  async #readChanged(maxAge: number): Promise<readonly SnapshotDocument[]> {
    // Non-blocking, so that opening a named pipe cannot hang.
    const file = await open(this.#path, constants.O_RDONLY | constants.O_NONBLOCK)
    try {
      const stats = await file.stat()
      if (!stats.isFile() || stats.size > maxBytes) return []
      if (isTooOld(stats, maxAge)) return []
      this.#version = ''
      this.#documents = await this.#parse(await file.readFile('utf8'))
      this.#version = versionOf(stats)
      return this.#documents
    } finally {
      await file.close()
    }
  }

  async #parse(text: string): Promise<readonly SnapshotDocument[]> {
    return (await this.#reread(text)) ?? this.#parseAll(text)
  }

  async #reread(text: string): Promise<readonly SnapshotDocument[] | null> {
    if (this.#documents.length === 0) return null
    const documents: SnapshotDocument[] = []
    for (const document of rereadDocuments(text, this.#documents)) {
      if (document === null) return null
      documents.push(document)
      await setImmediate()
    }
    return documents
  }

  async #parseAll(text: string): Promise<readonly SnapshotDocument[]> {
    const documents: SnapshotDocument[] = []
    const labels = this.#labels.read()
    for (const part of documentParts(text)) {
      documents.push(readDocument(JSON.parse(part), labels))
      await setImmediate()
    }
    return documents
  }
}

function versionOf({ ino, size, mtimeMs, ctimeMs }: Stats): string {
  return `${ino} ${size} ${mtimeMs} ${ctimeMs}`
}

function isTooOld({ mtimeMs }: Stats, maxAge: number): boolean {
  return maxAge > 0 && Date.now() - mtimeMs > maxAge * 1_000
}
