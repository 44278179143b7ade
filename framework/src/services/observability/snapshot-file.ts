import { constants } from 'node:fs'
import type { Stats } from 'node:fs'
import { open, stat } from 'node:fs/promises'
import { setImmediate } from 'node:timers/promises'
import { documentParts } from './document-parts.ts'
import { LabelMemory } from './label-memory.ts'
import { readDocument } from './read-document.ts'
import type { SnapshotDocument } from './read-document.ts'
import { rereadDocuments } from './reread-documents.ts'

/** A file larger than this is none of ours. */
const maxBytes = 64 * 1_024 * 1_024

/**
 * A snapshot file that is read again and again. When it was not written since the last time, what
 * was read then is still right; when it was, as a rule nothing but numbers is new in it.
 */
export class SnapshotFile {
  readonly #path: string
  // Every version is a file of its own that was moved into place, so these facts tell them apart.
  #version = ''
  #documents: readonly SnapshotDocument[] = []
  readonly #labels: LabelMemory

  /** The memory may be shared by files whose labels are alike. */
  constructor(path: string, labels: LabelMemory = new LabelMemory()) {
    this.#path = path
    this.#labels = labels
  }

  /**
   * Its parts, none unless all of it can be read: a file that is too old, too large or no snapshot
   * has none. `maxAge` is in seconds, 0 is any age. Others get their turn while it is parsed.
   */
  async read(maxAge: number): Promise<readonly SnapshotDocument[]> {
    try {
      return await this.#read(maxAge)
    } catch {
      return []
    }
  }

  async #read(maxAge: number): Promise<readonly SnapshotDocument[]> {
    const facts = await stat(this.#path)
    if (versionOf(facts) === this.#version) return isTooOld(facts, maxAge) ? [] : this.#documents
    return this.#readAnew(maxAge)
  }

  async #readAnew(maxAge: number): Promise<readonly SnapshotDocument[]> {
    // Not blocking: a pipe that somebody put there must not stop us.
    const file = await open(this.#path, constants.O_RDONLY | constants.O_NONBLOCK)
    try {
      const facts = await file.stat()
      if (!facts.isFile() || facts.size > maxBytes) return []
      if (isTooOld(facts, maxAge)) return []
      this.#version = ''
      this.#documents = await this.#parse(await file.readFile('utf8'))
      this.#version = versionOf(facts)
      return this.#documents
    } finally {
      await file.close()
    }
  }

  async #parse(text: string): Promise<readonly SnapshotDocument[]> {
    return (await this.#reread(text)) ?? this.#parseAnew(text)
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

  async #parseAnew(text: string): Promise<readonly SnapshotDocument[]> {
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
